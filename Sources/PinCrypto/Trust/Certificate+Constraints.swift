internal import COpenSSL
internal import PinPolicy

extension Certificate {
  /// Whether it demands certificate policies of what is below it (RFC 5280 §4.2.1.11).
  var constrainsPolicies: Bool {
    unsafe withPointer { unsafe X509_get_ext_by_NID($0, NID_policy_constraints, -1) >= 0 }
  }

  /// Whether its name constraints exclude a host name (RFC 5280 §4.2.1.10), whatever the leaf calls
  /// itself: `*.example.com` covers a host that `excluded;DNS:www.example.com` forbids.
  func excludes(_ host: HostName) -> Bool {
    guard !host.isAddress else { return false }
    return unsafe withPointer { pointer in
      guard unsafe X509_get_ext_by_NID(pointer, NID_name_constraints, -1) >= 0,
        let decoded = unsafe X509_get_ext_d2i(pointer, NID_name_constraints, nil, nil)
      else { return false }
      let constraints = unsafe decoded.assumingMemoryBound(to: NAME_CONSTRAINTS.self)
      defer { unsafe NAME_CONSTRAINTS_free(constraints) }
      let excluded = unsafe constraints.pointee.excludedSubtrees
      let name = host.description
      for index in 0..<max(unsafe OPENSSL_sk_num(excluded), 0) {
        guard let entry = unsafe OPENSSL_sk_value(excluded, index) else { continue }
        let subtree = unsafe entry.assumingMemoryBound(to: GENERAL_SUBTREE.self)
        if let base = unsafe Self.dnsName(subtree.pointee.base), Self.lies(name, within: base) {
          return true
        }
      }
      return false
    }
  }

  private static func dnsName(_ name: UnsafeMutablePointer<GENERAL_NAME>?) -> String? {
    var kind: Int32 = -1
    guard let value = unsafe GENERAL_NAME_get0_value(name, &kind), kind == GEN_DNS else {
      return nil
    }
    let text = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
    let bytes = unsafe UnsafeBufferPointer(
      start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text)))
    return unsafe String(decoding: bytes, as: UTF8.self).lowercased()
  }

  /// A subtree is a name and all below it; the empty one is every name. A leading dot, which
  /// libcrypto takes too, leaves the name itself out.
  private static func lies(_ name: String, within base: String) -> Bool {
    base.isEmpty || name == base || name.hasSuffix(base.hasPrefix(".") ? base : "." + base)
  }
}
