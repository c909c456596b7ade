import PinPolicy
import StrictJSON
import Testing

@testable import PolicyAuthoring

@Suite("Names that stand for pins")
struct ExpansionTests {
  /// Sets `s0` to `s<depth>`, each of which lists the next one so many times.
  private func nested(_ depth: Int, times: Int, use: String) -> [UInt8] {
    var sets = ""
    for level in 0..<depth {
      let names = Array(repeating: "\"s\(level + 1)\"", count: times).joined(separator: ",")
      sets += "\"s\(level)\":[\(names)],"
    }
    return source(#""pins":{"p":|A|},"sets":{\#(sets)"s\#(depth)":["p"]},\#(use)"#)
  }

  @Test(
    "256 pins are taken after expansion, and one more is not",
    arguments: [(256, true), (257, false)])
  func limit(count: Int, isTaken: Bool) throws {
    let names = Array(repeating: #""@s""#, count: count / 2) + (count % 2 == 0 ? [] : [#""@p""#])
    let list = names.joined(separator: ",")
    let bytes = source(
      #""pins":{"p":|A|},"sets":{"s":["p","p"]},"hosts":{"a":{"spki":{"leaf":[\#(list)]}}}"#)
    if isTaken {
      let rules = try SourceDocument(parsing: bytes).rules
      #expect(rules.first?.pinSet.leaf == Array(repeating: try SPKIPin(pinA), count: 256))
    } else {
      let error = #expect(throws: SourceError.self) { try SourceDocument(parsing: bytes) }
      #expect(error?.reason == .rule(.limit(.pins, most: 256)))
      #expect(error?.path?.description == "$['hosts']['a']['spki']['leaf']")
      #expect(error?.category == .limit)
    }
  }

  @Test("sets of sets that grow without bound are counted, never made")
  func bomb() throws {
    // 10^60 pins: more than any machine counts one by one.
    let bytes = nested(60, times: 10, use: #""denied":["@s0"],"hosts":{}"#)
    let error = #expect(throws: SourceError.self) { try SourceDocument(parsing: bytes) }
    #expect(error?.reason == .rule(.limit(.pins, most: 256)))
    #expect(error?.path?.description == "$['denied']")
    // Unused, they are no fault.
    _ = try SourceDocument(parsing: nested(60, times: 10, use: #""hosts":{}"#))
  }

  @Test("sets may nest as deeply as the document is long")
  func deep() throws {
    let depth = 100_000
    let list = Array(repeating: #""@s0""#, count: 256).joined(separator: ",")
    let bytes = nested(depth, times: 1, use: #""denied":[\#(list)],"hosts":{}"#)
    let policy = try SourceDocument(parsing: bytes).policy(window: someTime)
    #expect(policy.denied.count == 256)
  }

  @Test("a document whose names stand for more than a signed policy holds is refused")
  func budget() throws {
    let pins = Array(repeating: #""p""#, count: 256).joined(separator: ",")
    // 228 lists of 256 pins are more than 4 MiB / 72.
    let hosts = (0..<228).map { #""h\#($0)":{"spki":{"any":["@s"]}}"# }
    func document(_ count: Int) -> [UInt8] {
      source(
        #""pins":{"p":|A|},"sets":{"s":[\#(pins)]},"hosts":{\#(hosts[..<count].joined(separator: ","))}"#
      )
    }
    _ = try SourceDocument(parsing: document(227))
    let error = #expect(throws: SourceError.self) { try SourceDocument(parsing: document(228)) }
    #expect(error?.reason == .expansionTooLarge(most: 58_254))
    #expect(error?.category == .limit)
    #expect(error?.path?.description == "$['hosts']['h227']['spki']['any']")
  }

  @Test("expansion keeps the order of sets and repeats")
  func order() throws {
    let document = try SourceDocument(
      parsing: source(
        #"""
        "sets":{"x":["y","a","z"],"y":["b"],"z":["y","y"]},"pins":{"a":|A|,"b":|B|},
        "denied":["@x",|A|,"@z"],"hosts":{}
        """#))
    let (a, b) = (try SPKIPin(pinA), try SPKIPin(pinB))
    #expect(try document.policy(window: someTime).denied == [b, a, b, b, a, b, b])
  }
}
