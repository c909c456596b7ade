public import PinPolicy
package import StrictJSON

/// A policy as an administrator writes it and keeps it in version control.
///
/// Profile `standard` without `version`, `iat` and `exp`, with names for pins, hosts in any spelling,
/// notes and accepted findings. Whatever parses makes a policy that a verifier takes, unless its
/// signed form exceeds ``Limits/policyBytes``.
public struct SourceDocument: Sendable {
  /// The findings that the document accepts, with their reasons.
  public let acceptedFindings: [AcceptedFinding]
  package let document: JSONDocument
  /// The keys of `hosts` as written, in the order of the rules.
  package let hostKeys: [String]
  let body: PolicyReader<SourceDialect>.Body
  private let names: PinNames

  /// Reads a source document.
  ///
  /// - Parameter bytes: JSON in UTF-8, at most ``Limits/policyBytes``.
  /// - Throws: ``SourceError`` for the first fault, of category `limit` or `input`.
  public init(parsing bytes: [UInt8], limits: Limits = .standard) throws(SourceError) {
    let document: JSONDocument
    do { document = try JSONDocument(parsing: bytes, limits: limits.json) } catch {
      throw SourceError(error)
    }
    do throws(SourceFault) {
      try self.init(reading: document, limits: limits)
    } catch {
      throw SourceError(error, in: document)
    }
  }

  private init(reading document: JSONDocument, limits: Limits) throws(SourceFault) {
    names = try PinNames(reading: document, most: limits.pinsPerKind)
    let budget = ExpansionBudget(most: limits.policyBytes / Self.signedBytesOfPin)
    var reader = PolicyReader(
      document, limits: limits, dialect: SourceDialect(names: names, budget: budget))
    do throws(PolicyFault) { body = try reader.body() } catch {
      throw Self.fault(error, in: document, budget: budget)
    }
    hostKeys =
      document.member("hosts", of: document.root).map { hosts in
        document.members(of: hosts).map { document.string($0.name) }
      } ?? []
    acceptedFindings = try AcceptedFinding.read(from: document, rules: body.hosts.rules)
    self.document = document
  }

  /// What a pin of a list takes of a signed policy at least: 54 characters of JSON, in Base64URL.
  private static let signedBytesOfPin = 72

  /// What the reader could not say: which budget is meant, and what libidn2 thinks of a name.
  private static func fault(
    _ fault: PolicyFault, in document: JSONDocument, budget: ExpansionBudget
  ) -> SourceFault {
    switch fault.reason {
    case .limit(.pins, _) where budget.isExceeded:
      return SourceFault(.expansionTooLarge(most: budget.most), at: fault.node)
    case .host:
      do throws(HostAuthoringError) {
        _ = try HostName(sourceKey: document.string(fault.node))
        return SourceFault(fault)
      } catch {
        return SourceFault(.host(error), at: fault.node)
      }
    default:
      return SourceFault(fault)
    }
  }

  public var audience: String { body.audience }

  public var issuer: String? { body.issuer }

  /// The rules in the order of the document, hosts in canonical form.
  public var rules: [HostRule] { body.hosts.rules }

  /// What the document calls a pin, if anything.
  public func name(of pin: SPKIPin) -> String? { names.name(of: pin) }
}
