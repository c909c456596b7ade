import PinPolicy
import Testing

@Suite("Host names")
struct HostNameTests {
  private static let label63 = String(repeating: "a", count: 63)
  /// 253 bytes in four labels.
  private static let longest =
    label63 + "." + label63 + "." + label63 + "." + String(repeating: "b", count: 61)

  @Test(
    "a look-up is brought into canonical form",
    arguments: [
      ("example.com", "example.com"),
      ("WWW.Example.COM", "www.example.com"),
      ("example.com.", "example.com"),
      ("localhost", "localhost"),
      ("a_b.example", "a_b.example"),
      ("_sip._tcp.example", "_sip._tcp.example"),
      ("1.example", "1.example"),
      ("1e0x.example1", "1e0x.example1"),
      ("a--b.example", "a--b.example"),
      ("xn--bcher-kva.example", "xn--bcher-kva.example"),
      ("0x1.example", "0x1.example"),
      ("iat", "iat"),
      (label63 + ".example", label63 + ".example"),
      (longest, longest),
      (longest + ".", longest),
      ("192.0.2.1", "192.0.2.1"),
      ("0.0.0.0", "0.0.0.0"),
      ("255.255.255.255", "255.255.255.255"),
      ("192.0.2.1.", "192.0.2.1"),
      ("2001:db8::1", "2001:db8::1"),
      ("[2001:db8::1]", "2001:db8::1"),
      ("[2001:db8::1].", "2001:db8::1"),
      ("2001:db8::1.", "2001:db8::1"),
      ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
      ("2001:0db8::0001", "2001:db8::1"),
      ("::", "::"),
      ("::1", "::1"),
      ("1::", "1::"),
      ("0:0:0:0:0:0:0:0", "::"),
      ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
      ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
      ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
      ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),  // RFC 5952 §4.2.2: one group stays
      ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),  // RFC 5952 §4.2.3: the longest run
      ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),  // RFC 5952 §4.2.3: the first of equals
      ("2001:db8:0:0:1::1", "2001:db8::1:0:0:1"),
      ("fe80:0:0:1:0:0:0:0", "fe80:0:0:1::"),
      ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"),
      ("1:2:3:4:5:6:192.0.2.1", "1:2:3:4:5:6:c000:201"),
      ("::192.0.2.1", "::c000:201"),
      ("::ffff:0:1.2.3.4", "::ffff:0:102:304"),  // ffff not where RFC 4291 §2.5.5.2 has it
    ])
  func canonical(text: String, expected: String) throws {
    #expect(try HostName(text).description == expected)
  }

  @Test(
    "each rule of the grammar refuses a look-up by its name",
    arguments: [
      ("", .empty),
      (".", .empty),
      ("bücher.example", .notASCII),
      ("\u{130}.example", .notASCII),
      ("\u{212A}.example", .notASCII),  // KELVIN SIGN is not a `k`
      ("example\u{3002}com", .notASCII),
      ("\u{FF0A}", .notASCII),
      (" example.com", .forbiddenCharacter(" ")),
      ("example.com ", .forbiddenCharacter(" ")),
      ("example.com\n", .forbiddenCharacter("\n")),
      ("a\0.example.com", .forbiddenCharacter("\0")),
      ("a\u{7f}.example", .forbiddenCharacter("\u{7f}")),
      ("a!b.example", .forbiddenCharacter("!")),
      ("a%b.example", .forbiddenCharacter("%")),
      ("https://example.com", .scheme),
      ("https://u@example.com:1/x", .scheme),
      ("user@example.com", .user),
      ("user@example.com/x", .user),
      ("example.com/", .path),
      ("example.com?x", .path),
      ("example.com#x", .path),
      ("a\\b", .path),
      ("example.com:443", .port),
      ("example.com:", .port),
      ("192.0.2.1:443", .port),
      ("[2001:db8::1]:443", .port),
      ("[2001:db8::1]:", .port),
      ("*", .wildcard),
      ("*.", .wildcard),
      ("a.*.example", .wildcard),
      ("example.*", .wildcard),
      ("*example.com", .wildcard),
      ("*.*.example", .wildcard),
      ("*.-a", .wildcard),
      ("* ", .forbiddenCharacter(" ")),
      ("*.example.com", .wildcardLabel("example.com")),
      ("*.Example.com.", .wildcardLabel("example.com")),
      (".example.com", .emptyLabel(index: 0)),
      ("a..example.com", .emptyLabel(index: 1)),
      ("example.com..", .emptyLabel(index: 2)),
      ("..", .emptyLabel(index: 0)),
      (label63 + "a.example", .labelTooLong(index: 0, bytes: 64)),
      ("a." + label63 + "a", .labelTooLong(index: 1, bytes: 64)),
      ("-a.example", .hyphenAtEdge(index: 0)),
      ("a.b-.example", .hyphenAtEdge(index: 1)),
      ("-", .hyphenAtEdge(index: 0)),
      ("xn--.example", .hyphenAtEdge(index: 0)),
      (longest + "b", .tooLong(bytes: 254)),
      (longest + "b.", .tooLong(bytes: 254)),
      ("127.1", .invalidIPv4),
      ("3221225985", .invalidIPv4),
      ("0", .invalidIPv4),
      ("example.1", .invalidIPv4),
      ("1.2.3.4.5", .invalidIPv4),
      ("10.192.0.2.1", .invalidIPv4),
      ("256.0.2.1", .invalidIPv4),
      ("192.0.2.999999999999999999999", .invalidIPv4),
      ("192.0.2.01", .invalidIPv4),
      ("192.0.2.00", .invalidIPv4),
      ("192.0.0x2.1", .invalidIPv4),
      ("0xc0000201", .invalidIPv4),
      ("0x", .invalidIPv4),
      ("example.0X1F", .invalidIPv4),
      ("example.0xalpha", .invalidIPv4),
      ("a:b", .invalidIPv6),
      (":", .port),
      (":::", .invalidIPv6),
      ("2001:::1", .invalidIPv6),
      ("1::2::3", .invalidIPv6),
      ("1:2:3:4:5:6:7", .invalidIPv6),
      ("1:2:3:4:5:6:7:8:9", .invalidIPv6),
      ("1:2:3:4:5:6:7:8::", .invalidIPv6),
      ("::1:2:3:4:5:6:7:8", .invalidIPv6),
      (":1:2:3:4:5:6:7:8", .invalidIPv6),
      ("1:2:3:4:5:6:7:", .invalidIPv6),
      ("12345::", .invalidIPv6),
      ("g::", .invalidIPv6),
      ("::1.2.3", .invalidIPv6),
      ("::1.2.3.256", .invalidIPv6),
      ("::1.2.3.04", .invalidIPv6),
      ("::1.2.3.4:5", .invalidIPv6),
      ("1:2:3:4:5:6:7:1.2.3.4", .invalidIPv6),
      ("1:2:3:4:5:1.2.3.4", .invalidIPv6),
      ("fe80::1%eth0", .zone),
      ("[fe80::1%eth0]", .zone),
      ("::ffff:192.0.2.1", .mappedIPv4("192.0.2.1")),
      ("::FFFF:c000:201", .mappedIPv4("192.0.2.1")),
      ("0:0:0:0:0:ffff:0:0", .mappedIPv4("0.0.0.0")),
      ("[::ffff:255.255.255.255]", .mappedIPv4("255.255.255.255")),
      ("[2001:db8::1", .strayBracket),
      ("2001:db8::1]", .strayBracket),
      ("[]", .strayBracket),
      ("[example.com]", .strayBracket),
      ("[192.0.2.1]", .strayBracket),
      ("[[::1]]", .strayBracket),
      ("[", .strayBracket),
    ] as [(String, HostNameError)])
  func refusal(text: String, reason: HostNameError) {
    #expect(throws: reason) { try HostName(text) }
  }

  @Test("a source takes what a look-up takes but for brackets")
  func source() throws {
    #expect(try HostName(source: "API.example.com.").description == "api.example.com")
    #expect(try HostName(source: "2001:DB8::0:1.").description == "2001:db8::1")
    #expect(throws: HostNameError.brackets("2001:db8::1")) {
      try HostName(source: "[2001:DB8::0:1]")
    }
    #expect(HostNameError.brackets("2001:db8::1").canonical == "2001:db8::1")
  }

  @Test(
    "a payload takes the canonical form alone, but for the case of a name",
    arguments: [
      ("API.example.com", nil),
      ("2001:db8::1", nil),
      ("192.0.2.1", nil),
      ("api.example.com.", "api.example.com"),
      ("B.Example.", "b.example"),
      ("192.0.2.1.", "192.0.2.1"),
      ("2001:DB8::1", "2001:db8::1"),
      ("2001:db8::1.", "2001:db8::1"),
      ("2001:db8:0:0:0:0:0:1", "2001:db8::1"),
      ("2001:db8:0:0:1::1", "2001:db8::1:0:0:1"),
      ("64:ff9b::192.0.2.1", "64:ff9b::c000:201"),
      ("[2001:db8::1]", "2001:db8::1"),
    ] as [(String, String?)])
  func payload(text: String, canonical: String?) throws {
    guard let canonical else {
      #expect(try HostName(payload: text).description == text.lowercased())
      return
    }
    #expect(throws: HostNameError.notCanonical(canonical)) { try HostName(payload: text) }
    #expect(HostNameError.notCanonical(canonical).canonical == canonical)
    #expect(HostNameError.notCanonical(canonical).message.hasSuffix("write " + canonical))
  }

  @Test("spellings of one host are equal")
  func equality() throws {
    #expect(try HostName("A.example.") == HostName(payload: "a.example"))
    #expect(try HostName("[2001:DB8::1]") == HostName("2001:db8:0::1"))
  }

  @Test(
    "addresses are known as such",
    arguments: [
      ("192.0.2.1", true), ("2001:db8::1", true), ("::", true), ("fe80::", true),
      ("host1", false), ("1.example", false), ("a.b1", false),
    ])
  func isAddress(text: String, expected: Bool) throws {
    #expect(try HostName(text).isAddress == expected)
  }

  @Test("long hostile texts are refused in linear time")
  func hostile() {
    let stars = String(repeating: "*.", count: 500_000)
    #expect(throws: HostNameError.wildcard) { try HostName(stars) }
    let dots = String(repeating: "a.", count: 500_000)
    #expect(throws: HostNameError.tooLong(bytes: 999_999)) { try HostName(dots) }
    let colons = String(repeating: "1:", count: 500_000)
    #expect(throws: HostNameError.invalidIPv6) { try HostName(colons) }
  }

  @Test("every error says what is wrong and what to do, in ASCII free of the text")
  func messages() {
    for text in ["", "ü", "a b", "https://x", "a@b", "a/b", "a:1", "*", "*.b", "a..b", "-a", "1"] {
      do throws(HostNameError) {
        _ = try HostName(text)
        Issue.record("\(text) is taken")
      } catch {
        #expect(!error.message.isEmpty)
        #expect(error.message.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f || $0 >= 0x80 })
        #expect(error.code.hasPrefix("host-"))
        #expect(error.category == .usage)
      }
    }
  }
}
