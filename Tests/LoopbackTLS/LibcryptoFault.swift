import COpenSSLTLS

/// What libcrypto's error queue says, drained.
public struct LibcryptoFault: Error, CustomStringConvertible {
  public let description: String

  init(_ what: String) {
    var texts: [String] = []
    while true {
      let code = ERR_get_error()
      if code == 0 { break }
      var text = [CChar](repeating: 0, count: 256)
      ERR_error_string_n(code, &text, text.count)
      texts.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
    }
    description = ([what] + texts).joined(separator: ": ")
  }
}

@discardableResult
func require<Value>(_ value: Value?, _ what: String) throws -> Value {
  guard let value else { throw LibcryptoFault(what) }
  return value
}

func require(_ status: Int32, _ what: String) throws {
  guard status > 0 else { throw LibcryptoFault(what) }
}

/// What a function of the `i2d` or PEM kind writes.
func bytesWritten(_ write: (OpaquePointer) -> Int32) throws -> [UInt8] {
  let out = try require(BIO_new(BIO_s_mem()), "BIO")
  defer { BIO_free(out) }
  try require(write(out), "write")
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = BIO_read(out, &block, Int32(block.count))
    if count <= 0 { return bytes }
    bytes += block.prefix(Int(count))
  }
}
