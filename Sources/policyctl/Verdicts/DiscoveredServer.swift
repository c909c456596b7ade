import PinCrypto
import PinPolicy
import PinProbe
import StrictJSON

/// What a server presents, judged by trust alone.
struct DiscoveredServer: Sendable {
  let endpoint: Endpoint
  let chains: [Chain]
  let answer: TLSProbe.Answer
  private let now: Int64

  struct Chain: Sendable {
    let handshake: Handshake
    /// The path to a trust anchor, or what is wrong with the certificates.
    let trust: Result<ValidatedPath, Untrusted>
    /// What the server sent, leaf first; none where it can't be read.
    let presented: [Certificate]
    /// Whether one of the anchors has the name of ``absentIssuer``.
    var isAbsentIssuerTrusted = false

    var key: String { handshake.leafKey }

    /// Root first: the path, where there is one, else what was sent.
    var certificates: [Certificate] {
      if case .success(let path) = trust {
        path.certificates.reversed()
      } else {
        presented.reversed()
      }
    }

    /// Who issued the uppermost certificate that was sent, where it was not sent itself.
    var absentIssuer: String? {
      guard let last = presented.last, last.subject != last.issuer else { return nil }
      return last.issuer
    }

    func wasSent(_ certificate: Certificate) -> Bool { presented.contains(certificate) }
  }

  struct Untrusted: Error {
    let reason: String
    let certificate: Int?
    /// What is wrong and what to do.
    let message: String
  }

  init(
    _ endpoint: Endpoint, _ answer: TLSProbe.Answer, _ evaluator: TrustEvaluator, at now: Int64
  ) {
    self.endpoint = endpoint
    self.now = now
    self.answer = answer
    chains = answer.handshakes.map { handshake in
      let trust: Result<ValidatedPath, Untrusted>
      var presented: [Certificate] = []
      switch handshake.chain {
      case .failure(let error):
        trust = .failure(
          Untrusted(
            reason: TrustFailure.Reason.malformed.rawValue, certificate: nil,
            message: error.message))
      case .success(let chain):
        presented = chain.certificates
        do throws(TrustFailure) {
          trust = .success(try evaluator.evaluate(chain, host: endpoint.host, at: now))
        } catch {
          let story = TrustStory(
            failure: error, host: endpoint.host, now: now, lists: evaluator.revocation.lists)
          trust = .failure(
            Untrusted(
              reason: error.reason.rawValue, certificate: error.certificate,
              message: [story.sentence, story.fix].compactMap(\.self).joined(separator: " ")))
        }
      }
      var chain = Chain(handshake: handshake, trust: trust, presented: presented)
      if case .failure = trust, let issuer = chain.absentIssuer {
        chain.isAbsentIssuerTrusted = evaluator.anchors.certificates.contains {
          $0.subject == issuer
        }
      }
      return chain
    }
  }

  /// A line a certificate, root first; chains are told apart by an empty line.
  func show(_ output: Output, _ text: (Certificate) -> String) {
    for (index, chain) in chains.enumerated() {
      if index > 0 { output.line("") }
      for certificate in chain.certificates { output.line("\(text(certificate))") }
    }
  }

  /// Everything, for people or for machines.
  func show(_ output: Output) {
    output.json(json)
    for chain in chains {
      let handshake = chain.handshake
      let alpn = handshake.applicationProtocol.map { ", \($0)" } ?? ""
      output.line(
        "\(endpoint.description, .strong): \(chain.key), \(handshake.protocolVersion), "
          + "\(handshake.cipherSuite)\(alpn)")
      switch chain.trust {
      case .success(let path):
        output.line("  \("trusted", .good) (\(path.revocationStory)); root first:")
      case .failure(let problem):
        output.line("  \("not trusted", .bad) (\(problem.reason)); what was sent, the leaf last:")
      }
      show(chain, output)
    }
  }

  private func show(_ chain: Chain, _ output: Output) {
    if case .failure = chain.trust, let issuer = chain.absentIssuer {
      let origin = chain.isAbsentIssuerTrusted ? ", but in the trust store" : ""
      output.line("    -  not sent\(origin): \(PrintableText.quoted(issuer))")
    }
    let names = chain.certificates.map { PinText.name($0.commonName) }
    let width = min(names.map(\.count).max() ?? 0, 40)
    for (index, certificate) in chain.certificates.enumerated() {
      let padding = String(repeating: " ", count: max(0, width - names[index].count) + 2)
      let origin = chain.wasSent(certificate) ? "" : ", not sent, from the trust store"
      output.line(
        "    \(index)  \(names[index])\(padding)\(certificate.spki.description)  "
          + "\(certificate.keyDescription), \(PinText.expiry(of: certificate, at: now))\(origin)")
    }
  }

  private var json: JSONValue {
    .object(
      endpoint.members + [JSONMember("chains", .array(chains.map(json)))]
        + answer.failures.prefix(1).map { JSONMember("error", $0.json) })
  }

  private func json(_ chain: Chain) -> JSONValue {
    let handshake = chain.handshake
    let trust: [JSONMember]
    var revocation = [JSONMember("revocation", .null)]
    switch chain.trust {
    case .success(let path):
      trust = [JSONMember("valid", .bool(true))]
      revocation = path.revocationMembers
    case .failure(let problem):
      trust = [
        JSONMember("valid", .bool(false)), JSONMember("reason", .string(problem.reason)),
        JSONMember("certificate", problem.certificate.map { .integer(Int64($0)) } ?? .null),
      ]
    }
    let asked =
      handshake.members + [
        JSONMember("alpn", handshake.applicationProtocol.map(JSONValue.string) ?? .null),
        JSONMember("clientCertificateRequested", .bool(handshake.clientCertificateRequested)),
        JSONMember("trust", .object(trust)),
      ]
    let certificates = chain.certificates.enumerated().map { index, certificate in
      JSONValue.object(
        [JSONMember("index", .integer(Int64(index)))] + certificate.members
          + [JSONMember("sent", .bool(chain.wasSent(certificate)))])
    }
    return .object(
      asked + revocation + [
        JSONMember("certificates", .array(certificates)),
        JSONMember("absentIssuer", chain.absentIssuer.map(JSONValue.string) ?? .null),
      ])
  }
}
