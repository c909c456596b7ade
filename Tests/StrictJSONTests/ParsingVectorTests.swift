import Foundation
import StrictJSON
import TestSupport
import Testing

/// nst/JSONTestSuite, less what this reader refuses besides.
@Suite("JSONTestSuite")
struct ParsingVectorTests {
  /// `accept` cases that are refused here: a member twice, and a number of more than 32 characters.
  static let refusedBesides: [String: JSONError.Reason] = [
    "y_object_duplicated_key.json": .duplicateMember("a"),
    "y_object_duplicated_key_and_value.json": .duplicateMember("a"),
    "y_number_double_close_to_zero.json": .numberTooLong(limit: 32),
  ]

  @Test("takes and refuses what it should, and judges the rest without a crash")
  func parsing() throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped("json/parsing.jsonl") }
    let cases = try Vectors.lines("json/parsing.jsonl")
    var ran = 0
    var exceptions = 0
    for test in cases {
      let bytes = try [UInt8](#require(Data(base64Encoded: test.string("bytes_b64") ?? "!")))
      let refusal = refusal(bytes)?.reason
      ran += 1
      if let expected = Self.refusedBesides[test.id] {
        exceptions += 1
        #expect(refusal == expected, "\(test.id)")
        continue
      }
      switch test.string("expect") {
      case "accept": #expect(refusal == nil, "\(test.id)")
      case "reject": #expect(refusal != nil, "\(test.id)")
      case "either": break
      default: Issue.record("\(test.id): no expectation")
      }
    }
    Vectors.report("json/parsing.jsonl", ran: ran, exceptions: exceptions)
    #expect(ran == 318)
    #expect(exceptions == Self.refusedBesides.count)
  }
}
