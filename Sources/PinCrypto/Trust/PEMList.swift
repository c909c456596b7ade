/// What can be wrong with a PEM file that holds one kind of thing.
protocol PEMListError: Error {
  static var empty: Self { get }
  static func tooMany(limit: Int) -> Self
  static func malformedPEM(_: OpenSSLError) -> Self
  static func otherBlock(label: String, index: Int) -> Self
}

extension CertificateError: PEMListError {}
extension RevocationListError: PEMListError {}

extension PEMListError {
  /// What the blocks of a file hold, which all have one of the labels.
  static func contents(
    of file: [UInt8], labelled labels: [String], atMost most: Int
  ) throws(Self) -> [[UInt8]] {
    let blocks: [PEMBlock]
    do throws(KeyError) {
      blocks = try PEMBlock.all(in: SecretBytes(copying: file), atMost: most)
    } catch {
      switch error {
      case .file(.tooManyEntries(let limit)): throw .tooMany(limit: limit)
      case .file(.malformedPEM(let reason)): throw .malformedPEM(reason)
      default: throw .malformedPEM(OpenSSLError(entries: []))
      }
    }
    guard !blocks.isEmpty else { throw .empty }
    var contents: [[UInt8]] = []
    for (index, block) in blocks.enumerated() {
      guard labels.contains(block.label) else {
        throw .otherBlock(label: block.label, index: index)
      }
      contents.append(block.contents.copied())
    }
    return contents
  }
}
