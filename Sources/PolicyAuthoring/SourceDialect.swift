import PinPolicy
import StrictJSON

/// What a source document has that a payload of profile `standard` has not.
struct SourceDialect: PolicyDialect {
  static let expandsNames = true
  static let profile = Profile.standard

  let names: PinNames
  let budget: ExpansionBudget

  /// `$schema`; `pins`, `sets` and `lint` are read by themselves. What signing stamps is refused.
  mutating func take(
    _ name: JSONDocument.Node, in document: JSONDocument
  ) throws(PolicyFault) -> Bool {
    if document.matches(name, "$schema") {
      try document.expect(.string, at: document.value(of: name))
      return true
    }
    for stamp in ["version", "iat", "exp"] as [StaticString] where document.matches(name, stamp) {
      throw PolicyFault(.notAllowed(.stampOfSource), at: name)
    }
    return document.matches(name, "pins") || document.matches(name, "sets")
      || document.matches(name, "lint")
  }

  func canonicalize(
    _ key: Span<UInt8>, into buffer: inout HostBuffer
  ) throws(HostNameError) -> Int {
    let host: HostName
    do {
      // JSON text is UTF-8, so this copies and repairs nothing.
      host = try HostName(sourceKey: String(copying: UTF8Span(validating: key)))
    } catch let error as HostAuthoringError {
      // The document asks again for the error of a name beyond ASCII.
      if case .host(let error) = error { throw error }
      throw .notASCII
    } catch {
      throw .notASCII
    }
    return host.write(into: &buffer)
  }

  func pinCount(named name: String) -> Int? {
    guard let count = names.count(of: name) else { return nil }
    return budget.spend(count) ? count : .max
  }

  func appendPins(named name: String, to pins: inout [SPKIPin]) {
    names.expand(name, into: &pins)
  }
}

/// The pins that names may still be expanded to, all lists of a document together.
///
/// A reference of six bytes makes up to 256 pins: without a bound, 4 MiB of them would be a policy of
/// half a gigabyte, to be refused only when it is signed.
final class ExpansionBudget {
  let most: Int
  private var spent = 0

  var isExceeded: Bool { spent > most }

  init(most: Int) { self.most = most }

  /// Whether so many more are within the budget.
  func spend(_ count: Int) -> Bool {
    if isExceeded { return false }
    spent += count
    return !isExceeded
  }
}
