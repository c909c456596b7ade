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

  /// The store that `--anchors` or `--anchors-only` makes, else the system's roots.
  ///
  /// - Throws: exit 3 for a file that is not certificates.
  static func one(_ arguments: Arguments, _ output: Output) throws(Failure) -> TrustStore {
    let revocation = try revocation(arguments)
    let only = arguments.text(.onlyAnchors)
    let path = only ?? arguments.text(.anchors)
    let certificates =
      try path.map { path throws(Failure) in
        try anchors(path, arguments, output)
      } ?? []
    do throws(TrustAnchorsError) {
      let anchors =
        try only == nil ? TrustAnchors.system(adding: certificates) : .only(certificates)
      return TrustStore(path ?? "system", anchors, revocation)
    } catch { throw failure(error, about: path, remedy: "--anchors-only FILE") }
  }

  /// The stores of `--anchors NAME=FILE`, each by itself, else the system's roots.
  ///
  /// - Throws: exit 2 for a value of another form, exit 3 for a file that is not certificates.
  static func several(_ arguments: Arguments, _ output: Output) throws(Failure) -> [TrustStore] {
    let revocation = try revocation(arguments)
    var stores: [TrustStore] = []
    for text in arguments.texts(.trustStores) {
      let store: TrustStore
      if text == "system" {
        store = try system(revocation)
      } else {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex,
          text.index(after: equals) != text.endIndex
        else {
          throw .usage(
            "bad-value", "--anchors: \(PrintableText.quoted(text)) is not of the form NAME=FILE",
            hint: "write --anchors ours=FILE, with any name for the store")
        }
        let path = String(text[text.index(after: equals)...])
        let certificates = try anchors(path, arguments, output)
        do throws(TrustAnchorsError) {
          store = TrustStore(String(text[..<equals]), try .only(certificates), revocation)
        } catch { throw failure(error, about: path, remedy: "--anchors NAME=FILE") }
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

  private static func anchors(
    _ path: String, _ arguments: Arguments, _ output: Output
  ) throws(Failure) -> [Certificate] {
    let certificates = try CertificateFile.read(
      path, arguments, atMost: Limits.standard.trustAnchors)
    for certificate in certificates where certificate.subject != certificate.issuer {
      output.warning(
        "\(path): \(PrintableText.quoted(certificate.subject)) did not sign itself: it may stand in "
          + "a path, and none ends at it; give the root that issued it")
    }
    return certificates
  }

  private static func system(_ revocation: Revocation) throws(Failure) -> TrustStore {
    do throws(TrustAnchorsError) {
      return TrustStore("system", try .system(), revocation)
    } catch { throw failure(error, about: nil, remedy: "--anchors NAME=FILE") }
  }

  private static func revocation(_ arguments: Arguments) throws(Failure) -> Revocation {
    var lists: [RevocationList] = []
    for path in arguments.texts(.revocationLists) {
      // In PEM a third longer.
      let bytes = try CertificateFile.bytes(
        path, limit: Limits.standard.revocationListBytes / 2 * 3)
      do { lists += try RevocationList.all(in: bytes, from: path) } catch {
        throw Failure(error, status: .badInput, about: path)
      }
    }
    guard !lists.isEmpty else { return .none }
    return .lists(lists, scope: arguments.text(.revocationScope) == "chain" ? .chain : .leaf)
  }

  /// - Parameter remedy: the option that does without the system's roots.
  private static func failure(
    _ error: TrustAnchorsError, about path: String?, remedy: String
  ) -> Failure {
    switch error {
    case .noSystemRoots, .unreadable:
      Failure(error, status: .badInput, hint: "\(remedy) does without the system's roots")
    case .empty: Failure(error, status: .badInput, about: path)
    case .openSSL: Failure(error, status: .internal, about: path)
    }
  }
}
