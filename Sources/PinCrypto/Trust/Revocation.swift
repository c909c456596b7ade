internal import COpenSSL
public import PinPolicy

/// Which certificates of a path are looked up in certificate revocation lists (RFC 5280 §5).
public struct Revocation: Sendable {
  public enum Scope: String, Sendable {
    /// Nothing is looked up.
    case none
    case leaf
    /// The leaf and every authority below the anchor.
    case chain
  }

  public let scope: Scope
  public let lists: [RevocationList]

  public static let none = Revocation(scope: .none, lists: [])

  /// - Parameter lists: at least one list an issuer whose certificates are looked up: one without a
  ///   list that is in force is ``TrustFailure/Reason/revocationUnknown``.
  public static func lists(_ lists: [RevocationList], scope: Scope) -> Revocation {
    Revocation(scope: scope, lists: scope == .none ? [] : lists)
  }
}

/// A certificate revocation list.
// @unchecked: as for a Certificate.
@safe
public final class RevocationList: @unchecked Sendable {
  private let pointer: OpaquePointer
  /// Where it comes from, for whoever tells of it: the name of a file.
  public let origin: String?

  /// - Parameters:
  ///   - der: one list and nothing after it.
  ///   - index: its place in the file that it comes from, for the error.
  /// - Throws: ``RevocationListError``.
  public init(
    der: [UInt8], index: Int = 0, from origin: String? = nil, limits: Limits = .standard
  ) throws(RevocationListError) {
    guard der.count <= limits.revocationListBytes else {
      throw .tooLong(index: index, limit: limits.revocationListBytes)
    }
    guard let whole = DERElement(at: 0, in: der.span) else {
      throw .malformed(index: index, OpenSSLError(entries: []))
    }
    // d2i_X509_CRL would ignore them.
    guard whole.whole.upperBound == der.count else { throw .trailingBytes(index: index) }
    OpenSSLError.clear()
    let pointer: OpaquePointer? = unsafe der.withUnsafeBufferPointer { buffer in
      var next = buffer.baseAddress
      return unsafe d2i_X509_CRL(nil, &next, buffer.count)
    }
    guard let pointer = unsafe pointer else {
      throw .malformed(index: index, OpenSSLError.drained())
    }
    // A delta lists what has changed: libcrypto would take it, being newer, for the whole list.
    guard unsafe X509_CRL_get_ext_by_NID(pointer, NID_delta_crl, -1) < 0 else {
      unsafe X509_CRL_free(pointer)
      throw .delta(index: index)
    }
    // Required by RFC 5280 §5.1.2.5; without it a list would be in force for ever.
    guard unsafe X509_CRL_get0_nextUpdate(pointer) != nil else {
      unsafe X509_CRL_free(pointer)
      throw .noNextUpdate(index: index)
    }
    unsafe self.pointer = pointer
    self.origin = origin
  }

  /// The lists of a file: any number in PEM, with other text around the blocks, or one in DER.
  ///
  /// - Parameter most: more than these are refused before they are parsed.
  /// - Throws: ``RevocationListError``, ``RevocationListError/otherBlock(label:index:)`` for a PEM
  ///   block that is no revocation list.
  public static func all(
    in file: [UInt8], from origin: String? = nil,
    atMost most: Int = Limits.standard.revocationLists, limits: Limits = .standard
  ) throws(RevocationListError) -> [RevocationList] {
    guard !file.isEmpty else { throw .empty }
    guard file.first != DERElement.sequence else {
      return [try RevocationList(der: file, from: origin, limits: limits)]
    }
    let blocks = try RevocationListError.contents(of: file, labelled: ["X509 CRL"], atMost: most)
    var lists: [RevocationList] = []
    for (index, block) in blocks.enumerated() {
      lists.append(try RevocationList(der: block, index: index, from: origin, limits: limits))
    }
    return lists
  }

  deinit { unsafe X509_CRL_free(pointer) }

  func withPointer<Result, Failure>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    unsafe try body(pointer)
  }
}

extension RevocationList {
  /// The authority's name in one line, as ``Certificate/issuer`` has it.
  public var issuer: String {
    unsafe withPointer { unsafe Certificate.line(of: X509_CRL_get_issuer($0)) }
  }

  /// When it was made, in seconds since 1970 (RFC 5280 §5.1.2.4).
  public var thisUpdate: Int64? {
    unsafe withPointer { unsafe Certificate.seconds(X509_CRL_get0_lastUpdate($0)) }
  }

  /// By when there will be a newer one (RFC 5280 §5.1.2.5).
  public var nextUpdate: Int64? {
    unsafe withPointer { unsafe Certificate.seconds(X509_CRL_get0_nextUpdate($0)) }
  }

  /// As X509_verify_cert takes it: no longer at the second of ``nextUpdate``.
  public func isInForce(at time: Int64) -> Bool {
    guard let thisUpdate, thisUpdate <= time else { return false }
    return nextUpdate.map { time < $0 } ?? true
  }

  /// Whether the authority that issued a certificate made the list, going by its name.
  public func isByIssuer(of certificate: Certificate) -> Bool {
    let hash = unsafe withPointer {
      unsafe UInt(X509_NAME_hash_ex(X509_CRL_get_issuer($0), nil, nil, nil))
    }
    return hash == certificate.issuerHash
  }
}
