import PinPolicy
import StrictJSON

/// Which of two policies is the newer one.
enum PolicyOrder {
  /// Roll-back marks are kept by audience and profile: policies that differ in one are not two
  /// versions of one thing.
  ///
  /// - Throws: category `audience` or `header`, exit 1.
  static func checkComparable(
    _ older: Policy, _ path: String, with audience: String?, _ profile: Profile
  ) throws(Failure) {
    guard older.profile == profile else {
      throw Failure(
        .header, code: "other-profile",
        "the policy is of profile \(older.profile.rawValue), and the other of "
          + "\(profile.rawValue): neither replaces the other",
        detail: [
          JSONMember("found", .string(older.profile.rawValue)),
          JSONMember("expected", .string(profile.rawValue)),
        ], status: .refused, about: path)
    }
    let isSame =
      switch (older.audience, audience) {
      // As bytes: String == takes canonically equivalent texts for equal.
      case (let old?, let new?): old.utf8.elementsEqual(new.utf8)
      case (nil, nil): true
      default: false
      }
    guard isSame else {
      throw Failure(
        .audience, code: "other-audience",
        "the policy is for the audience \(PrintableText.quoted(older.audience ?? "")), and the "
          + "other for \(PrintableText.quoted(audience ?? "")): neither replaces the other",
        detail: [
          JSONMember("found", older.audience.map { .string($0) } ?? .null),
          JSONMember("expected", audience.map { .string($0) } ?? .null),
        ], status: .refused, about: path)
    }
  }
}
