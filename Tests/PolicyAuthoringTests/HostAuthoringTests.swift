import PinPolicy
import Testing

@testable import PolicyAuthoring

@Suite("Host names as people write them")
struct HostAuthoringTests {
  @Test(
    "converts U-labels and leaves ASCII to the rules of the library",
    arguments: [
      ("bücher.example", "xn--bcher-kva.example"),
      ("bu\u{308}cher.example", "xn--bcher-kva.example"),
      ("BÜCHER.Example.", "xn--bcher-kva.example"),
      ("straße.example", "xn--strae-oqa.example"),  // IDNA 2003 would make it strasse
      ("βόλος.example", "xn--nxasmm1c.example"),
      ("ａｐｉ.example.com", "api.example.com"),
      ("_x.bücher.example", "_x.xn--bcher-kva.example"),
      ("bücher。example", "xn--bcher-kva.example"),  // U+3002 is a dot between labels
      ("www。example.com", "www.example.com"),
      ("日本語.jp", "xn--wgv71a119e.jp"),
      ("XN--BCHER-KVA.example", "xn--bcher-kva.example"),
      ("xn--zzzz.example", "xn--zzzz.example"),  // A-labels are not decoded
      ("a_b.example", "a_b.example"),
      ("A.example.com.", "a.example.com"),
      ("2001:DB8::0:1", "2001:db8::1"),
      ("192.0.2.1.", "192.0.2.1"),
      (
        String(repeating: "ü.", count: 30) + "example",
        String(repeating: "xn--tda.", count: 30) + "example"
      ),
    ])
  func converts(text: String, canonical: String) throws {
    #expect(try HostName(authoring: text).description == canonical)
    #expect(try HostName(sourceKey: text).description == canonical)
  }

  @Test("takes brackets in a look-up and not in a source document")
  func brackets() throws {
    #expect(try HostName(authoring: "[2001:db8::1]").description == "2001:db8::1")
    #expect(throws: HostAuthoringError.host(.brackets("2001:db8::1"))) {
      try HostName(sourceKey: "[2001:db8::1]")
    }
  }

  @Test(
    "refuses what is no name before or after conversion",
    arguments: [
      ("\u{ff0a}", .converts("\u{ff0a}", to: "*", .wildcard)),
      ("\u{fe61}", .converts("\u{fe61}", to: "*", .wildcard)),
      (
        "\u{ff0a}.example.com",
        .converts("\u{ff0a}.example.com", to: "*.example.com", .wildcardLabel("example.com"))
      ),
      ("\u{2100}.example", .converts("\u{2100}.example", to: "a/c.example", .path)),
      ("１９２.0.2.1", .convertsToAddress("１９２.0.2.1", "192.0.2.1")),
      ("192.0.2.１", .convertsToAddress("192.0.2.１", "192.0.2.1")),
      ("192.0.2.０１", .converts("192.0.2.０１", to: "192.0.2.01", .invalidIPv4)),
      (
        "bücher.example。",
        .converts(
          "bücher.example。", to: "xn--bcher-kva.example.",
          .notCanonical("xn--bcher-kva.example"))
      ),
      (
        "bücher..example",
        .converts(
          "bücher..example", to: "xn--bcher-kva..example", .emptyLabel(index: 1))
      ),
      (
        "bücher.example..",
        .converts(
          "bücher.example..", to: "xn--bcher-kva.example.",
          .notCanonical("xn--bcher-kva.example"))
      ),
      ("\u{ad}", .converts("\u{ad}", to: "", .empty)),  // SOFT HYPHEN maps to nothing
      ("bücher.example:443", .host(.port)),
      ("https://bücher.example/", .host(.scheme)),
      ("bücher.example/x", .host(.path)),
      ("me@bücher.example", .host(.user)),
      ("bücher example", .host(.forbiddenCharacter(" "))),
      ("bücher\0.example", .host(.forbiddenCharacter("\0"))),
      ("*.bücher.example", .host(.wildcardLabel("xn--bcher-kva.example"))),
      ("", .host(.empty)),
      ("*", .host(.wildcard)),
      (
        "-ü.example",
        .notConvertible(
          "-ü.example", reason: "string start/ends with forbidden hyphen")
      ),
      (
        "\u{200d}ü.example",
        .notConvertible(
          "\u{200d}ü.example", reason: "string contains a forbidden context-j character")
      ),
      (
        "🔒.example",
        .notConvertible(
          "🔒.example", reason: "string contains a disallowed character")
      ),
      (String(repeating: "ü", count: 2049), .tooLong(bytes: 4098)),
    ] as [(String, HostAuthoringError)])
  func refuses(text: String, error: HostAuthoringError) {
    #expect(throws: error) { try HostName(authoring: text) }
    #expect(throws: error) { try HostName(sourceKey: text) }
  }

  @Test("names beyond a name's length are refused, whatever they convert to")
  func tooLong() {
    let label = String(repeating: "ü", count: 58) + "."
    let text = String(repeating: label, count: 8) + "example"
    #expect(
      throws: HostAuthoringError.notConvertible(
        text, reason: "domain name longer than 255 characters")
    ) { try HostName(authoring: text) }
  }

  @Test("says so when the library is missing")
  func missingLibrary() throws {
    guard case .failure(let absence) = LibIDN2.load("libidn2-of-nobody.so.0") else {
      Issue.record("loaded a library that is not there")
      return
    }
    #expect(absence.reason.contains("libidn2-of-nobody.so.0"))
    let error = HostAuthoringError.libraryMissing(absence.reason)
    #expect(error.message.contains("libidn2-0"))
  }

  @Test("messages show no control or bidirectional character of the text")
  func messages() {
    let text = "\u{202e}🔒\u{85}.example"
    let error = HostAuthoringError.notConvertible(text, reason: "x")
    #expect(error.message.contains("\\u{202e}"))
    #expect(!error.message.unicodeScalars.contains("\u{202e}"))
    #expect(!error.message.unicodeScalars.contains("\u{85}"))
  }

  @Test("whatever converts is a canonical name, and converts to itself")
  func closure() throws {
    var generator = Generator(state: 0x2545_f491_4f6c_dd1d)
    let scalars: [Unicode.Scalar] =
      Array("aZ0-_.*:/% xn".unicodeScalars)
      + [
        "\u{0}", "ü", "\u{308}", "ß", "ς", "\u{ad}", "\u{200d}", "\u{3002}", "\u{ff0a}", "\u{ff11}",
      ]
      + ["\u{2100}", "\u{fdfa}", "\u{5d0}", "\u{661}", "\u{1f512}", "\u{10ffff}", "\u{e000}", "日"]
    var converted = 0
    for _ in 0..<5_000 {
      let count = Int.random(in: 1...12, using: &generator)
      var text = String.UnicodeScalarView()
      for _ in 0..<count { text.append(scalars.randomElement(using: &generator) ?? "a") }
      guard let host = try? HostName(sourceKey: String(text)) else { continue }
      #expect(try HostName(payload: host.description) == host)
      #expect(try HostName(authoring: host.description) == host)
      #expect(host.description != "*")
      if text.contains(where: { !$0.isASCII }) {
        #expect(!host.isAddress)
        converted += 1
      }
    }
    #expect(converted > 50)
  }
}
