import Foundation
import PinCrypto
import PinPolicy
import StrictJSON
import TestSupport
import Testing

@Suite("trust failures")
struct TrustFailureTests {
  @Test("every code of X509_verify_cert has a named reason")
  func reasons() {
    // Unspecified, out of memory, an application's own, a wrong call, a store that can't be read:
    // nothing that is known about the certificates.
    let unnamed = (1...103).filter { code in
      TrustFailure(verifyError: Int32(code), certificate: 0).reason == .internal
    }
    #expect(unnamed == [1, 17, 50, 69, 70])
    #expect(TrustFailure(verifyError: 10, certificate: 1).explanation.contains("expired"))
  }

  @Test(
    "a code of tomorrow has libcrypto's words, and is no success", arguments: [-1, 0, 104, 999])
  func unknownCode(code: Int32) {
    let failure = TrustFailure(verifyError: code, certificate: nil)
    #expect(failure.reason == .internal && failure.verifyError == code)
    #expect(failure.message.contains(code == 0 ? "ok" : "nknown certificate verification error"))
  }

  @Test("each reason speaks to people", arguments: TrustFailure.Reason.allCases)
  func messages(reason: TrustFailure.Reason) throws {
    let codes = (0...94).map { TrustFailure(verifyError: $0, certificate: 2) }
    let failure = try #require(codes.first { $0.reason == reason })
    #expect(failure.code == reason.rawValue)
    #expect(failure.category == (reason == .internal ? .internal : .trust))
    #expect(failure.message.last == "." && failure.message.count > 40)
    #expect(!failure.message.contains("Optional"))
    #expect(failure.detail.map(\.name) == ["reason", "certificate", "explanation", "verifyError"])
  }

  @Test("the documentation knows each reason", arguments: TrustFailure.Reason.allCases)
  func documentation(reason: TrustFailure.Reason) throws {
    let file = Vectors.packageRoot.appendingPathComponent("docs/verifying.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.contains("`\(reason.rawValue)`"))
  }

  @Test("anchors that can't be had are bad input, and say what to do")
  func anchors() {
    let none = TrustAnchorsError.noSystemRoots(["/a", "/b"])
    #expect(none.category == .input && none.message.contains("/a, /b"))
    #expect(TrustAnchorsError.empty.code == "no-anchors")
    let bad = TrustAnchorsError.unreadable(place: "/roots.pem", .empty)
    #expect(bad.category == .input && bad.message.contains("/roots.pem"))
  }
}
