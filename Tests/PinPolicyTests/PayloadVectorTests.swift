import Foundation
import PinPolicy
import StrictJSON
import TestSupport
import Testing

/// The payloads inside the outside tokens, judged without their signatures: every case that a verifier
/// refuses for its payload, a limit of it or its empty window must be refused here, at its path.
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
    Profile.allCases.first { header.contains("\"typ\":\"\($0.type)\"") }
  }

  private static func decode(_ text: Substring) -> [UInt8]? {
    var base64 = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
    return Data(base64Encoded: base64).map { [UInt8]($0) }
  }

  @Test(
    "category, path and canonical form are those of the case",
    arguments: [("policies/policies.jsonl", 321), ("standard/standard.jsonl", 672)])
  func cases(file: String, total: Int) throws {
    guard Vectors.isPresent else { return Vectors.reportSkipped(file) }
    let cases = try Vectors.lines(file)
    #expect(cases.count == total)
    var ran = 0
    var paths = 0
    for item in cases {
      let refused = item.string("category").flatMap(FailureCategory.init(rawValue:))
      let judged: [FailureCategory] = [.payload, .audience, .time]
      // A limit of the token is no matter of its payload.
      let isLimit = refused == .limit && item.string("path") != nil
      guard
        item.string("expect") == "accept" || isLimit || judged.contains(where: { $0 == refused })
      else { continue }
      guard let (bytes, profile) = Self.payload(item) else { continue }
      ran += 1
      if item.string("path") != nil { paths += 1 }
      var limits = Limits.standard
      if item.string("decision") == "D13" {
        limits.policyBytes = 1 << 20
        limits.hosts = 1024
      }
      judge(item, bytes, profile, refused, limits)
    }
    Vectors.report(file + " (payloads)", ran: ran)
    #expect(ran == (file.hasPrefix("standard") ? 548 : 170))
    #expect(paths == (file.hasPrefix("standard") ? 365 : 0))
  }

  private func judge(
    _ item: Case, _ bytes: [UInt8], _ profile: Profile, _ refused: FailureCategory?,
    _ limits: Limits
  ) {
    let comment = Comment(rawValue: item.id + ": " + (item.string("why") ?? ""))
    let payload = VerifiedPayload(
      bytes: bytes, profile: profile, algorithm: "ES256", keyIdentifier: "", issuedBefore: nil)
    do throws(PolicyDecodingError) {
      let policy = try Policy(
        decoding: payload, audience: item.string("audience"), limits: limits)
      // Only the clock can still refuse it.
      #expect(refused == nil || refused == .time, comment)
      for query in item.list("resolve") {
        let host = query.string("host") ?? ""
        let resolution = try? policy.resolve(host)
        #expect(resolution?.pattern?.description == query.string("pattern"), comment)
        #expect(resolution?.step.rawValue == query.string("step"), comment)
        #expect(resolution?.rule?.mode.rawValue == query.string("mode"), comment)
      }
      let again = policy.payloadBytes(keepNotes: true)
      let second = try? UnverifiedPolicy(decoding: again, profile: profile, limits: limits)
      #expect(second?.policy.payloadBytes(keepNotes: true) == again, comment)
      #expect(
        second.map { Dictionary(uniqueKeysWithValues: $0.policy.rules.map { ($0.pattern, $0) }) }
          == Dictionary(uniqueKeysWithValues: policy.rules.map { ($0.pattern, $0) }), comment)
    } catch {
      let asGood = item.strings("also_ok").compactMap(FailureCategory.init(rawValue:))
      #expect(refused == error.category || asGood.contains(error.category), comment)
      if let path = item.string("path") {
        #expect(error.path?.description == path, comment)
      }
      if let canonical = item.string("canonical") {
        #expect(error.canonical == canonical, comment)
        #expect(error.message.contains(canonical), comment)
      }
    }
  }
}
