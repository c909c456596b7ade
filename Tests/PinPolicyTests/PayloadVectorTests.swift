import Foundation
import PinPolicy
import StrictJSON
import TestSupport
import Testing

/// The payloads that the outside cases accept, without their signatures.
@Suite("Payloads of the outside cases")
struct PayloadVectorTests {
  /// A case's payload, where its token has three segments of Base64url.
  private static func payload(_ item: Case) -> (bytes: [UInt8], profile: Profile)? {
    if let recipe = item.child("recipe"), recipe.string("header") != nil {
      guard let header = recipe.string("header") else { return nil }
      return profile(header).map { (Case.joined(recipe.list("payload")), $0) }
    }
    let segments = (item.string("jws") ?? "").split(
      separator: ".", omittingEmptySubsequences: false)
    guard segments.count == 3, let header = decode(segments[0]), let bytes = decode(segments[1]),
      let profile = profile(String(decoding: header, as: UTF8.self))
    else { return nil }
    return (bytes, profile)
  }

  private static func profile(_ header: String) -> Profile? {
    let members = try? JSONSerialization.jsonObject(with: Data(header.utf8)) as? [String: Any]
    return Profile.allCases.first { members?["typ"] as? String == $0.type }
  }

  private static func decode(_ text: Substring) -> [UInt8]? {
    var base64 = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    return Data(base64Encoded: base64).map { [UInt8]($0) }
  }

  @Test(
    "what is accepted is encoded to a text that means the same and stays as it is",
    arguments: [("policies/policies.jsonl", 49), ("standard/standard.jsonl", 136)])
  func roundTrip(file: String, total: Int) throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    var ran = 0
    for item in try Vectors.lines(file) where item.string("expect") == "accept" {
      let comment = Comment(rawValue: item.id)
      let (bytes, profile) = try #require(Self.payload(item), comment)
      ran += 1
      let policy = try UnverifiedPolicy(decoding: bytes, profile: profile).policy
      let written = policy.payloadBytes(keepNotes: true)
      let again = try UnverifiedPolicy(decoding: written, profile: profile).policy
      #expect(again.payloadBytes(keepNotes: true) == written, comment)
      #expect(Self.rules(again) == Self.rules(policy), comment)
      #expect(again.denied == policy.denied && again.reportTo == policy.reportTo, comment)
    }
    Vectors.report(file + " (payloads)", ran: ran)
    #expect(ran == total)
  }

  private static func rules(_ policy: Policy) -> [HostPattern: HostRule] {
    Dictionary(uniqueKeysWithValues: policy.rules.map { ($0.pattern, $0) })
  }
}
