import PinPolicy
import PinProbe
import Testing

@Suite("endpoints")
struct EndpointTests {
  @Test(
    "a host with or without a port",
    arguments: [
      ("a.test", "a.test", 443), ("a.test:1", "a.test", 1), ("a.test:65535", "a.test", 65535),
      ("A.Test.:8443", "a.test", 8443), ("192.0.2.7:25", "192.0.2.7", 25),
      ("[2001:DB8::1]:443", "2001:db8::1", 443), ("[::1]", "::1", 443),
      // More colons than one and no brackets: an address.
      ("::1", "::1", 443), ("2001:db8::1:443", "2001:db8::1:443", 443),
    ] as [(String, String, UInt16)])
  func reading(text: String, host: String, port: UInt16) throws {
    let endpoint = try Endpoint(text, defaultPort: 443)
    #expect(endpoint.host.description == host && endpoint.port == port)
  }

  @Test(
    "no port is guessed",
    arguments: [
      "a.test:", "a.test:0", "a.test:01", "a.test:65536", "a.test:99999999999999999999",
      "a.test:443x", "a.test:http",
    ])
  func badPort(text: String) {
    #expect(throws: EndpointError.badPort(text)) { try Endpoint(text, defaultPort: 443) }
  }

  @Test("what is no host is said by the reader of hosts")
  func badHost() {
    for text in ["", ":443", "a b:443", "[::1", "u@a.test"] {
      #expect(throws: EndpointError.self, "\(text)") { try Endpoint(text, defaultPort: 443) }
    }
    for text in ["https://a.test", "http://127.0.0.1:1"] {
      #expect(throws: EndpointError.host(.scheme)) { try Endpoint(text, defaultPort: nil) }
    }
    #expect(throws: EndpointError.missingPort("a.test")) {
      try Endpoint("a.test", defaultPort: nil)
    }
  }

  @Test("an IPv6 address is written in brackets")
  func writing() throws {
    #expect(try Endpoint("::1", defaultPort: 443).description == "[::1]:443")
    #expect(try Endpoint("a.test", defaultPort: 25).description == "a.test:25")
  }
}
