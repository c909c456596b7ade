internal import Glibc
internal import PinPolicy

/// An address and a port, as the system takes them.
struct SocketAddress: Sendable {
  let family: Int32
  /// A `sockaddr_in` or `sockaddr_in6`.
  let bytes: [UInt8]
  /// `192.0.2.7:443`, `[2001:db8::1]:443`.
  let description: String

  /// More addresses of a name than these are not tried.
  private static let most = 16

  /// Blocks while the system's resolver works, unless the host is an address.
  ///
  /// - Returns: what `getaddrinfo` says is wrong, or the addresses in the order to try them.
  static func all(of host: String, port: UInt16, isLiteral: Bool) -> Result<[SocketAddress], Fault>
  {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV | (isLiteral ? AI_NUMERICHOST : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard status == 0 else {
      let reason = unsafe gai_strerror(status).map { unsafe String(cString: $0) }
      return .failure(Fault(reason: reason ?? "error \(status)"))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next, addresses.count < most {
      if let address = unsafe SocketAddress(entry.pointee) { addresses.append(address) }
      unsafe next = entry.pointee.ai_next
    }
    return addresses.isEmpty ? .failure(Fault(reason: "no address")) : .success(addresses)
  }

  struct Fault: Error {
    let reason: String
  }

  private init?(_ entry: addrinfo) {
    guard let address = unsafe entry.ai_addr,
      unsafe entry.ai_family == AF_INET || entry.ai_family == AF_INET6
    else { return nil }
    unsafe family = entry.ai_family
    let length = unsafe entry.ai_addrlen
    unsafe bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let status = unsafe getnameinfo(
      address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
      NI_NUMERICHOST | NI_NUMERICSERV)
    guard status == 0 else { return nil }
    let texts = [host, port].map { text in
      String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    description = family == AF_INET6 ? "[\(texts[0])]:\(texts[1])" : "\(texts[0]):\(texts[1])"
  }

  func withSockaddr<Result>(_ body: (UnsafePointer<sockaddr>?, socklen_t) -> Result) -> Result {
    unsafe bytes.withUnsafeBytes { buffer in
      unsafe body(
        buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(buffer.count))
    }
  }
}
