public import PinPolicy

extension Certificate {
  /// The certificates of a file: any number in PEM, with other text around the blocks, or one in DER.
  ///
  /// - Parameter most: more than these are refused before they are parsed.
  /// - Throws: ``CertificateError``, ``CertificateError/otherBlock(label:index:)`` for a PEM block
  ///   that is no certificate: a key beside a chain is a mistake that should show.
  public static func all(
    in file: [UInt8], atMost most: Int, limits: Limits = .standard
  ) throws(CertificateError) -> [Certificate] {
    guard !isPEM(file) else { return try allInPEM(file, atMost: most, limits: limits) }
    guard !file.isEmpty else { throw .empty }
    return [try Certificate(der: file, limits: limits)]
  }

  private static func isPEM(_ file: [UInt8]) -> Bool {
    // DER begins with a SEQUENCE; text does not.
    file.first != DERElement.sequence
  }

  private static func allInPEM(
    _ file: [UInt8], atMost most: Int, limits: Limits
  ) throws(CertificateError) -> [Certificate] {
    let blocks = try CertificateError.contents(
      of: file, labelled: ["CERTIFICATE", "X509 CERTIFICATE"], atMost: most)
    var certificates: [Certificate] = []
    certificates.reserveCapacity(blocks.count)
    for (index, block) in blocks.enumerated() {
      certificates.append(try Certificate(der: block, index: index, limits: limits))
    }
    return certificates
  }
}
