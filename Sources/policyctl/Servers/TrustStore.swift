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

  /// The more roots a platform ships, up to this.
  private static let mostAnchors = 4096
  private static let mostLists = 256

  /// The store that `--anchors` or `--anchors-only` makes, else the system's roots.
  ///
  /// - Throws: exit 3 for a file that is not certificates.
  static func one(_ arguments: Arguments) throws(Failure) -> TrustStore {
    let revocation = try revocation(arguments)
    if let path = arguments.text(.onlyAnchors) {
      return TrustStore(
        path,
        try anchors(path) { certificates throws(TrustAnchorsError) in
          try TrustAnchors.only(certificates)
        }, revocation)
    }
    guard let path = arguments.text(.anchors) else { return try system(revocation) }
    return TrustStore(
      path,
      try anchors(path) { certificates throws(TrustAnchorsError) in
        try TrustAnchors.system(adding: certificates)
      }, revocation)
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
        store = TrustStore(
          String(text[..<equals]),
          try anchors(path) { certificates throws(TrustAnchorsError) in
            try TrustAnchors.only(certificates)
          }, revocation)
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

  private static func anchors(
    _ path: String, _ make: ([Certificate]) throws(TrustAnchorsError) -> TrustAnchors
  ) throws(Failure) -> TrustAnchors {
    let certificates = try CertificateFile.read(path, atMost: mostAnchors)
    do { return try make(certificates) } catch { throw failure(error, about: path) }
  }

  private static func revocation(_ arguments: Arguments) throws(Failure) -> Revocation {
    var lists: [RevocationList] = []
    for path in arguments.texts(.revocationLists) {
      let bytes = try CertificateFile.bytes(path)
      do { lists += try RevocationList.all(in: bytes, atMost: mostLists) } catch {
        throw Failure(error, status: .badInput, about: path)
      }
    }
    guard !lists.isEmpty else { return .none }
    return .lists(lists, scope: arguments.text(.revocationScope) == "chain" ? .chain : .leaf)
  }

  private static func failure(_ error: TrustAnchorsError, about path: String?) -> Failure {
    let message =
      switch error {
      case .empty: "There is no trust anchor: nothing would be trusted."
      case .noSystemRoots(let places):
        "The system has no bundle of roots (\(places.joined(separator: ", "))): install "
          + "ca-certificates, or give --anchors."
      case .unreadable(let place, let reason): "\(place): \(reason.message)"
      case .openSSL(let reason): "OpenSSL does not take a trust anchor (\(reason))."
      }
    return Failure(.input, code: "no-anchors", message, status: .badInput, about: path)
  }
}

/// A file of certificates.
enum CertificateFile {
  /// A bundle of every root that a platform ships has a quarter of this.
  private static let mostBytes = 1024 * 1024

  /// - Throws: exit 3.
  static func bytes(_ path: String) throws(Failure) -> [UInt8] {
    do { return try BoundedFile.read(path, limit: mostBytes) } catch {
      throw Failure(error, status: .badInput)
    }
  }

  /// - Throws: exit 3.
  static func read(_ path: String, atMost most: Int) throws(Failure) -> [Certificate] {
    let bytes = try bytes(path)
    do { return try Certificate.all(in: bytes, atMost: most) } catch {
      throw Failure(error, status: .badInput, about: path)
    }
  }
}
