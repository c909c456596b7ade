import PinCrypto
import PinPolicy

/// Trust anchors that servers are judged by, and what they are called.
struct TrustStore {
  let name: String
  let evaluator: TrustEvaluator

  /// The options of verbs that judge by one store.
  static let options: [Option] = [.anchors, .onlyAnchors] + revocationOptions
  static let rules: [OptionRule] = [.atMostOne(["anchors", "anchors-only"])] + revocationRules

  static let revocationOptions: [Option] = [.revocationLists, .revocationScope]
  static let revocationRules: [OptionRule] = [.needs("crl-scope", "crl")]

  /// Ten times the roots that a platform ships.
  private static let mostAnchors = 4096
  private static let mostLists = 256
  /// The lists of a large authority have several million bytes.
  private static let mostListBytes = 64 * 1024 * 1024

  /// The store that `--anchors` or `--anchors-only` makes, else the system's roots.
  ///
  /// - Throws: exit 3 for a file that is not certificates.
  static func one(_ arguments: Arguments) throws(Failure) -> TrustStore {
    let revocation = try revocation(arguments)
    let only = arguments.text(.onlyAnchors)
    guard let path = only ?? arguments.text(.anchors) else { return try system(revocation) }
    let certificates = try CertificateFile.read(path, arguments, atMost: mostAnchors)
    do throws(TrustAnchorsError) {
      let anchors =
        try only == nil ? TrustAnchors.system(adding: certificates) : .only(certificates)
      return TrustStore(path, anchors, revocation)
    } catch { throw failure(error, about: path) }
  }

  /// The stores of `--anchors NAME=FILE`, each by itself, else the system's roots.
  ///
  /// - Throws: exit 2 for a value of another form, exit 3 for a file that is not certificates.
  static func several(_ arguments: Arguments) throws(Failure) -> [TrustStore] {
    let revocation = try revocation(arguments)
    var stores: [TrustStore] = []
    for text in arguments.texts(.trustStores) {
      let store: TrustStore
      if text == "system" {
        store = try system(revocation)
      } else {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
          throw .usage(
            "bad-value", "--anchors: \(PrintableText.quoted(text)) is not of the form NAME=FILE")
        }
        let path = String(text[text.index(after: equals)...])
        let certificates = try CertificateFile.read(path, arguments, atMost: mostAnchors)
        do throws(TrustAnchorsError) {
          store = TrustStore(String(text[..<equals]), try .only(certificates), revocation)
        } catch { throw failure(error, about: path) }
      }
      guard !stores.contains(where: { $0.name == store.name }) else {
        throw .usage("repeated-option", "--anchors is given twice for \(store.name)")
      }
      stores.append(store)
    }
    return stores.isEmpty ? [try system(revocation)] : stores
  }

  private init(_ name: String, _ anchors: TrustAnchors, _ revocation: Revocation) {
    self.name = name
    evaluator = TrustEvaluator(anchors: anchors, revocation: revocation)
  }

  private static func system(_ revocation: Revocation) throws(Failure) -> TrustStore {
    do throws(TrustAnchorsError) {
      return TrustStore("system", try .system(), revocation)
    } catch { throw failure(error, about: nil) }
  }

  private static func revocation(_ arguments: Arguments) throws(Failure) -> Revocation {
    var lists: [RevocationList] = []
    for path in arguments.texts(.revocationLists) {
      let bytes = try CertificateFile.bytes(path, limit: mostListBytes)
      do { lists += try RevocationList.all(in: bytes, atMost: mostLists) } catch {
        throw Failure(error, status: .badInput, about: path)
      }
    }
    guard !lists.isEmpty else { return .none }
    return .lists(lists, scope: arguments.text(.revocationScope) == "chain" ? .chain : .leaf)
  }

  private static func failure(_ error: TrustAnchorsError, about path: String?) -> Failure {
    var hint: String?
    if case .noSystemRoots = error { hint = "--anchors-only FILE does without the system's roots" }
    return Failure(
      error, status: error.category == .internal ? .internal : .badInput, about: path, hint: hint)
  }
}
