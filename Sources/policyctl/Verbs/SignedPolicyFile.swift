import PinPolicy
import StrictJSON

/// A signed policy as it stands in a file.
enum SignedPolicyFile {
  /// Reads a file and takes off the one line break that editors and shells put at its end.
  ///
  /// - Throws: category `limit`, exit 1, for a file that is too large (step 1 of its verification);
  ///   category `input`, exit 3, for one that can't be read.
  static func read(_ path: String, limits: Limits = .standard) throws(Failure) -> [UInt8] {
    do throws(FileError) {
      let (most, overflows) = limits.policyBytes.addingReportingOverflow(1)
      var bytes = try BoundedFile.read(path, limit: overflows ? limits.policyBytes : most)
      if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
      return bytes
    } catch {
      if case .tooLarge = error {
        throw Failure(
          .limit, code: "too-long",
          "The signed policy has more than \(limits.policyBytes) bytes; no more are read.",
          detail: [.init("limit", .integer(Int64(limits.policyBytes)))], status: .refused,
          about: path)
      }
      throw Failure(error, status: .badInput)
    }
  }
}
