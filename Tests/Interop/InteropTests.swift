import Foundation
import TestSupport
import Testing

/// Policies go both ways between us and software that is not ours, each of the nine algorithms.
@Suite(.signedPolicies, .serialized)
struct InteropTests {
  private func policies() throws -> SignedPolicies { try #require(SignedPoliciesTrait.current) }

  @Test("openssl dgst and pkeyutl verify what we sign, and we verify what they sign")
  func openssl() throws {
    guard let openssl = Peer("openssl") else { return }
    let policies = try policies()
    let folder = policies.folder.url
    var checks = 0
    for algorithm in SignedPolicies.algorithms {
      let commands = OpenSSLCommands(algorithm)
      let ours = try policies.segments("\(algorithm).standard.jws")
      try policies.write(ours.input, to: "input")
      try policies.write(ours.signature, to: "signature")
      var changed = ours.input
      changed[changed.count / 2] ^= 1
      try policies.write(changed, to: "changed")
      for (command, arguments) in commands.verify(input: "input") {
        let outcome = try openssl.run(arguments, in: folder)
        #expect(outcome.status == 0, "\(algorithm) \(command): \(outcome.errorText)")
        checks += 1
      }
      for (command, arguments) in commands.verify(input: "changed") {
        let outcome = try openssl.run(arguments, in: folder)
        #expect(outcome.status == 1, "\(algorithm) \(command) takes a changed input")
        checks += 1
      }
      for (command, arguments) in commands.sign(input: "input") {
        let outcome = try openssl.run(arguments, in: folder)
        #expect(outcome.status == 0, "\(algorithm) \(command): \(outcome.errorText)")
        let signature = Base64URLText.encode(try policies.bytes("signed"))
        let name = "\(algorithm).\(command).jws"
        try policies.write(ours.input + Array(".\(signature)".utf8), to: name)
        try policies.expectAccepted(name, algorithm)
        checks += 1
      }
    }
    openssl.report(checks: checks)
    #expect(checks == 9 * 6)
  }

  @Test("java.security.Signature verifies both of our profiles and signs policies that we take")
  func java() throws {
    guard let java = Peer("java") else { return }
    let policies = try policies()
    // One virtual machine for all: starting it costs more than everything that it does.
    let outcome = try java.run(
      [peerProgram("JavaPeer.java"), policies.folder.url.path] + SignedPolicies.algorithms,
      in: policies.folder.url, seconds: 120)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    var checks = 0
    for algorithm in SignedPolicies.algorithms {
      for profile in ["standard", "cnpinning"] {
        #expect(outcome.answers["\(algorithm) \(profile)"] == "yes", "\(algorithm) \(profile)")
        #expect(
          outcome.answers["\(algorithm) \(profile)-tampered"] == "no", "\(algorithm) \(profile)")
        checks += 2
      }
      let identifier = try policies.text("\(algorithm).kid")
      #expect(outcome.answers["\(algorithm) thumbprint"] == identifier, "\(algorithm)")
      try policies.expectAccepted("\(algorithm).java.jws", algorithm)
      checks += 2
    }
    java.report(checks: checks)
    #expect(checks == 9 * 6)
  }

  @Test("latchset jose verifies what we sign, and we verify what it signs, with --ecdsa jose")
  func jose() throws {
    guard let jose = Peer("jose") else { return }
    let policies = try policies()
    let folder = policies.folder.url
    var checks = 0
    for algorithm in SignedPolicies.algorithms {
      // Through standard input: a file name with two dots would itself be read as a compact JWS.
      let verify = ["jws", "ver", "-i", "-", "-k", "\(algorithm).pub.jwk", "-O", "-"]
      let ours = try policies.text("\(algorithm).jose.jws")
      let accepted = try jose.run(verify, input: Array(ours.utf8), in: folder)
      #expect(accepted.status == 0, "\(algorithm): \(accepted.errorText)")
      #expect(try accepted.output == policies.segments("\(algorithm).jose.jws").payload)
      let changed = try policies.tampered("\(algorithm).jose.jws")
      #expect(
        try jose.run(verify, input: changed, in: folder).status == 1, "\(algorithm), tampered")

      let thumbprint = try jose.run(
        ["jwk", "thp", "-a", "S256", "-i", "\(algorithm).pub.jwk"], in: folder)
      let identifier = try policies.text("\(algorithm).kid")
      #expect(thumbprint.outputText.trimmingCharacters(in: .newlines) == identifier)

      let header = #"{"alg":"\#(algorithm)","kid":"\#(identifier)","typ":"pin-policy+jwt"}"#
      let name = "\(algorithm).by-jose.jws"
      let signed = try jose.run(
        ["jws", "sig", "-I", "payload.json", "-k", "\(algorithm).jwk", "-c", "-o", name]
          + ["-s", #"{"protected":\#(header)}"#], in: folder)
      #expect(signed.status == 0, "\(algorithm): \(signed.errorText)")
      try policies.expectAccepted(name, algorithm, ["--ecdsa", "jose"])
      checks += 4
    }
    jose.report(checks: checks)
    #expect(checks == 9 * 4)
  }

  @Test("PyJWT verifies what we sign, and we verify what it signs, with --ecdsa jose")
  func pyjwt() throws {
    guard let python = Peer("PyJWT", program: Peer.python) else { return }
    let policies = try policies()
    let found = try python.run(["-c", "import jwt, cryptography"], in: policies.folder.url)
    guard found.status == 0 else {
      Peer.say("PyJWT: 0 checks ran, skipped: it is not installed")
      return
    }
    let outcome = try python.run(
      [peerProgram("pyjwt_peer.py"), policies.folder.url.path, SignedPolicies.audience]
        + SignedPolicies.algorithms, in: policies.folder.url)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    var checks = 0
    for algorithm in SignedPolicies.algorithms {
      #expect(outcome.answers["\(algorithm) standard"] == "yes", "\(algorithm)")
      #expect(outcome.answers["\(algorithm) standard-tampered"] == "no", "\(algorithm)")
      try policies.expectAccepted("\(algorithm).pyjwt.jws", algorithm, ["--ecdsa", "jose"])
      checks += 3
    }
    python.report(checks: checks)
    #expect(checks == 9 * 3)
  }

  @Test("a policy of profile cnpinning is what such a client takes, header byte for byte")
  func cnpinningClient() throws {
    guard let python = Peer("CNPinning client's rules", program: Peer.python) else { return }
    let policies = try policies()
    let taken = SignedPolicies.algorithms.map { "\($0).cnpinning.jws" }
    // What the rules must refuse, so that their yes means something.
    try policies.sign(
      "cnpinning.json", "ES256", ["--profile", "cnpinning", "--alg-case", "upper"], to: "upper.jws")
    let refused = ["upper.jws", "ES256.standard.jws", "RS256.standard.jws"]
    let outcome = try python.run(
      [peerProgram("cnpinning_client.py")] + taken + refused, in: policies.folder.url)
    #expect(outcome.status == 0, "\(outcome.errorText)")
    let answers = outcome.answers
    for algorithm in SignedPolicies.algorithms {
      let answer = answers["\(algorithm).cnpinning.jws accepted"]
      #expect(answer == "\(algorithm.lowercased()) \(SignedPolicies.mobileHosts)", "\(algorithm)")
      let header = try policies.segments("\(algorithm).cnpinning.jws").header
      let expected = #"{"alg":"\#(algorithm.lowercased())","typ":"JWT"}"#
      #expect(String(decoding: header, as: UTF8.self) == expected)
    }
    for name in refused { #expect(answers["\(name) refused"] != nil, "\(name)") }
    python.report(checks: taken.count + refused.count)
  }
}

/// The arguments that make `openssl` do what an algorithm of RFC 7518 says.
private struct OpenSSLCommands {
  let algorithm: String

  init(_ algorithm: String) { self.algorithm = algorithm }

  private var digest: String { "sha" + algorithm.dropFirst(2) }

  private func options(_ flag: String) -> [String] {
    guard algorithm.hasPrefix("PS") else { return [] }
    // RFC 7518 §3.5: MGF1 with the same hash, a salt of its length.
    return ["rsa_padding_mode:pss", "rsa_pss_saltlen:digest", "rsa_mgf1_md:\(digest)"]
      .flatMap { [flag, $0] }
  }

  func verify(input: String) -> [(String, [String])] {
    let key = "\(algorithm).pub.pem"
    return [
      (
        "dgst",
        ["dgst", "-\(digest)", "-verify", key, "-signature", "signature"] + options("-sigopt")
          + [input]
      ),
      (
        "pkeyutl",
        ["pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-digest", digest]
          + ["-in", input, "-sigfile", "signature"] + options("-pkeyopt")
      ),
    ]
  }

  func sign(input: String) -> [(String, [String])] {
    let key = "\(algorithm).pem"
    return [
      (
        "dgst",
        ["dgst", "-\(digest)", "-sign", key, "-out", "signed"] + options("-sigopt") + [input]
      ),
      (
        "pkeyutl",
        ["pkeyutl", "-sign", "-inkey", key, "-rawin", "-digest", digest]
          + ["-in", input, "-out", "signed"] + options("-pkeyopt")
      ),
    ]
  }
}
