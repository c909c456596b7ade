import PinCrypto
import PinPolicy
import PinProbe
import StrictJSON

// What servers are called in the JSON of every verb.

extension Endpoint {
  var members: [JSONMember] {
    [JSONMember("host", .string(host.description)), JSONMember("port", .integer(Int64(port)))]
  }
}

extension Handshake {
  /// The key of the server's own certificate.
  var leafKey: String { (try? chain.get())?.leaf.keyDescription ?? "unreadable" }

  var members: [JSONMember] {
    [
      JSONMember("keyType", .string(keyType.rawValue)), JSONMember("key", .string(leafKey)),
      JSONMember("address", .string(address)), JSONMember("protocol", .string(protocolVersion)),
      JSONMember("cipher", .string(cipherSuite)),
    ]
  }
}

extension Certificate {
  var members: [JSONMember] {
    [
      JSONMember("commonNames", .array(commonName.names.map(JSONValue.string))),
      JSONMember("spki", .string(spki.description)), JSONMember("key", .string(keyDescription)),
      JSONMember("notAfter", notAfter.map(JSONValue.integer) ?? .null),
    ]
  }
}
