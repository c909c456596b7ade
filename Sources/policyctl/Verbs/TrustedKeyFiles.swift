import PinCrypto
import PinPolicy
import StrictJSON

/// Loads the public keys that the options name: step 0 of a verification.
struct TrustedKeyFiles {
  /// What the keys may be used with; nil for all that each can do.
  let algorithms: [SignatureAlgorithm]?
  let allowDemoKeys: Bool
  let output: Output

  init(_ arguments: Arguments, _ output: Output) {
    let tokens = arguments.texts(.trustedAlgorithm)
    algorithms = tokens.isEmpty ? nil : tokens.compactMap(SignatureAlgorithm.init(rawValue:))
    allowDemoKeys = arguments.has(.allowDemoKey)
    self.output = output
  }

  init(allowDemoKeys: Bool, _ output: Output) {
    algorithms = nil
    self.allowDemoKeys = allowDemoKeys
    self.output = output
  }

  /// The keys of some files, which may be none.
  ///
  /// - Throws: category `key`, exit 3, for a key that is not taken.
  func keys(_ paths: [String]) throws(Failure) -> [TrustedKey] {
    var keys: [TrustedKey] = []
    for path in paths { keys += try readAndJudge(path) }
    return keys
  }

  /// - Returns: the keys, and the file of each by key identifier.
  /// - Throws: category `key`, exit 3, for a key that is not taken, and for one that is given twice.
  func load(_ paths: [String]) throws(Failure) -> (trusted: TrustedKeys, origins: [String: String])
  {
    var keys: [TrustedKey] = []
    var origins: [String: String] = [:]
    for path in paths {
      let found = try readAndJudge(path)
      for key in found {
        if let other = origins[key.identifier] {
          throw Failure(
            KeyError.duplicateIdentifier(key.identifier), status: .badInput, about: path,
            hint: other == path ? nil : "it is in \(PrintableText.escape(other)) too")
        }
        origins[key.identifier] = path
        explainAlgorithms(key, path)
      }
      keys += found
    }
    do { return (try TrustedKeys(keys, allowDemoKeys: allowDemoKeys), origins) } catch {
      throw Failure(error, status: .badInput)
    }
  }

  private func readAndJudge(_ path: String) throws(Failure) -> [TrustedKey] {
    let keys = try read(path)
    // An empty JWK Set: somebody meant to trust something.
    if keys.isEmpty { throw Failure(KeyError.noKeys, status: .badInput, about: path) }
    try refuseDemoKeys(keys, path)
    return keys
  }

  private func read(_ path: String) throws(Failure) -> [TrustedKey] {
    let bytes: [UInt8]
    do { bytes = try BoundedFile.read(path, limit: Limits.standard.policyBytes) } catch {
      throw Failure(error, status: .badInput)
    }
    // RFC 8725 §3.1: without --alg the key alone says what it can do.
    let algorithms = algorithms ?? SignatureAlgorithm.allCases
    do throws(KeyError) {
      switch Self.form(of: bytes) {
      case .pem: return [try TrustedKey(pem: bytes, algorithms: algorithms)]
      case .der: return [try TrustedKey(der: bytes, algorithms: algorithms)]
      case .jwk: return [try TrustedKey(jwk: bytes, algorithms: algorithms)]
      case .jwks:
        let (keys, unusable) = try TrustedKey.all(inJWKS: bytes, algorithms: algorithms)
        if !unusable.isEmpty { throw .unusableKeys(unusable) }
        return keys
      }
    } catch {
      guard case .unusableKeys(let unusable) = error else {
        throw KeyFile.failure(error, path, foreignForm: KeyFile.foreignForm(bytes.span))
      }
      var failure = Failure(
        error.category, code: error.code,
        "\(unusable.count) of the set's keys can't be used: take them out", detail: error.detail,
        status: .badInput, about: path)
      failure.list = unusable.map { "key \($0.index): \($0.reason.message)" }
      throw failure
    }
  }

  /// The demo keys are refused file by file, so that the refusal names the file.
  private func refuseDemoKeys(_ keys: [TrustedKey], _ path: String) throws(Failure) {
    guard !allowDemoKeys else { return }
    for key in keys {
      do { try DemoKeys.refuse(key.identifier) } catch {
        throw Failure(error, status: .badInput, about: path, hint: Self.demoHint)
      }
    }
  }

  static let demoHint = "give --allow-demo-key to use it in a demonstration"

  private func explainAlgorithms(_ key: TrustedKey, _ path: String) {
    guard algorithms == nil, key.algorithms.count > 1 else { return }
    let tokens = key.algorithms.map(\.rawValue).joined(separator: " ")
    output.note("\(path): without --alg the key is trusted with each of \(tokens)")
  }

  private enum Form { case pem, der, jwk, jwks }

  private static func form(of bytes: [UInt8]) -> Form {
    // A SubjectPublicKeyInfo is a SEQUENCE with a BIT STRING, whose first byte is zero.
    if bytes.first == 0x30, bytes.contains(0) { return .der }
    let blanks: [UInt8] = [0x20, 0x09, 0x0a, 0x0d]
    guard bytes.first(where: { !blanks.contains($0) }) == UInt8(ascii: "{") else { return .pem }
    guard let document = try? JSONDocument(parsing: bytes, limits: Limits.standard.json),
      document.member("keys", of: document.root) != nil
    else { return .jwk }
    return .jwks
  }
}
