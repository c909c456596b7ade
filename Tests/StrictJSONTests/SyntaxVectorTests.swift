import Foundation
import StrictJSON
import TestSupport
import Testing

/// The rows for broken JSON among the source documents: they say where the fault is.
@Suite("Places of syntax errors")
struct SyntaxVectorTests {
  @Test("Line, column and path are those of the case, or as good")
  func places() throws {
    let file = "standard/source.jsonl"
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    var failures: [String] = []
    var ran = 0
    for test in try Vectors.lines(file) {
      guard let reason = test.string("reason"), ["syntax", "duplicate-member"].contains(reason)
      else { continue }
      ran += 1
      let encoded = test.string("source_b64").flatMap { Data(base64Encoded: $0) }
      let bytes = try #require(
        encoded.map(Array.init) ?? test.string("source").map { Array($0.utf8) })
      guard let error = refusal(bytes) else {
        failures.append("\(test.id): accepted")
        continue
      }
      if reason == "duplicate-member" {
        guard case .duplicateMember = error.reason, error.path?.description == test.string("path")
        else {
          failures.append("\(test.id): \(error)")
          continue
        }
      } else {
        let others = test.object["also_place"] as? [[Int]] ?? []
        let line = try Int(#require(test.integer("line")))
        let column = try Int(#require(test.integer("column")))
        if !([[line, column]] + others).contains([error.line, error.column]) {
          failures.append("\(test.id): \(error.line):\(error.column), not \(line):\(column)")
        }
      }
    }
    Vectors.report("\(file), broken JSON", ran: ran)
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
    #expect(ran == 17)
  }
}
