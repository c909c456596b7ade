import Glibc
import PinPolicy
import StrictJSON

/// Times and durations as people write them on the command line, and as results print them.
enum TimeText {
  /// Reads a time: RFC 3339, or whole seconds since 1970-01-01T00:00:00Z.
  ///
  /// A fraction of a second must be zero, and second 60 has no number of its own, so both are
  /// refused rather than rounded.
  /// - Returns: seconds since 1970, 0 … ``ValidityWindow/latestTime``.
  static func time(_ text: String) throws(TimeTextError) -> Int64 {
    let bytes = Array(text.utf8)
    let seconds =
      bytes.allSatisfy(isDigit) ? wholeNumber(bytes[...]) : try dateAndTime(bytes, text)
    guard let seconds else { throw .notATime(text) }
    guard (0...ValidityWindow.latestTime).contains(seconds) else { throw .outOfRange(text) }
    return seconds
  }

  /// Reads a duration: a whole number and one of the units `s m h d w`.
  /// - Returns: seconds, 0 … ``ValidityWindow/latestTime``.
  static func duration(_ text: String) throws(TimeTextError) -> Int64 {
    let bytes = Array(text.utf8)
    guard let letter = bytes.last, let unit = units.first(where: { $0.letter == letter }),
      let count = wholeNumber(bytes.dropLast())
    else { throw .notADuration(text) }
    let (seconds, overflow) = count.multipliedReportingOverflow(by: unit.seconds)
    guard !overflow, seconds <= ValidityWindow.latestTime else { throw .outOfRange(text) }
    return seconds
  }

  /// The time in UTC per RFC 3339, `2026-01-31T09:30:00Z`; the number itself outside the years
  /// 1970 to 9999.
  static func text(of time: Int64) -> String {
    guard (0...ValidityWindow.latestTime).contains(time) else { return String(time) }
    let parts = CalendarTime(seconds: time)
    let date = "\(padded(parts.year, 4))-\(padded(parts.month))-\(padded(parts.day))"
    return "\(date)T\(padded(parts.hour)):\(padded(parts.minute)):\(padded(parts.second))Z"
  }

  /// The duration in the largest unit that divides it, as ``duration(_:)`` reads it: `7d`, `90s`.
  static func text(ofDuration seconds: Int64) -> String {
    let whole = units.last { seconds != 0 && seconds % $0.seconds == 0 } ?? units[0]
    return "\(seconds / whole.seconds)\(Character(Unicode.Scalar(whole.letter)))"
  }

  private static let units: [(letter: UInt8, seconds: Int64)] = [
    (UInt8(ascii: "s"), 1), (UInt8(ascii: "m"), 60), (UInt8(ascii: "h"), 3600),
    (UInt8(ascii: "d"), 86_400), (UInt8(ascii: "w"), 604_800),
  ]

  /// `date-time` of RFC 3339 §5.6, or nil where the text is not one.
  private static func dateAndTime(
    _ bytes: [UInt8], _ text: String
  ) throws(TimeTextError) -> Int64? {
    guard bytes.count >= 20, matches(bytes[..<19], "dddd-dd-ddtdd:dd:dd") else { return nil }
    let written = CalendarTime(
      year: number(bytes[0..<4]), month: number(bytes[5..<7]), day: number(bytes[8..<10]),
      hour: number(bytes[11..<13]), minute: number(bytes[14..<16]), second: number(bytes[17..<19]))
    if written.second == 60 { throw .leapSecond(text) }

    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      guard !fraction.isEmpty else { return nil }
      guard fraction.allSatisfy({ $0 == UInt8(ascii: "0") }) else { throw .fraction(text) }
      rest = rest.dropFirst(fraction.count + 1)
    }
    guard let offset = offset(rest) else { return nil }

    // timegm turns 30 February into 2 March; RFC 3339 §5.7 knows no such day.
    let seconds = written.seconds
    guard CalendarTime(seconds: seconds) == written else { return nil }
    return seconds - offset
  }

  /// Seconds that a `time-offset` is east of UTC.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
    if bytes.count == 1 { return lowerCase(bytes[bytes.startIndex]) == 0x7a ? 0 : nil }
    guard matches(bytes, "+dd:dd") || matches(bytes, "-dd:dd") else { return nil }
    let digits = bytes.dropFirst()
    let (hours, minutes) = (number(digits.prefix(2)), number(digits.suffix(2)))
    guard hours < 24, minutes < 60 else { return nil }
    let seconds = Int64(hours * 60 + minutes) * 60
    return bytes.first == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// Whether the bytes look like the pattern, in which `d` is a digit and `t` a T in either case.
  private static func matches(_ bytes: ArraySlice<UInt8>, _ pattern: String) -> Bool {
    guard bytes.count == pattern.utf8.count else { return false }
    return zip(bytes, pattern.utf8).allSatisfy { byte, expected in
      expected == UInt8(ascii: "d") ? isDigit(byte) : lowerCase(byte) == expected
    }
  }

  /// The number that `0` or `[1-9][0-9]*` writes, and nil for anything else; far out of range where
  /// it would not fit.
  private static func wholeNumber(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard let first = digits.first, digits.allSatisfy(isDigit),
      first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    guard digits.count <= 18 else { return .max }
    return digits.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
  }

  /// At most four digits.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int32 {
    digits.reduce(0) { $0 &* 10 &+ Int32($1 & 0x0f) }
  }

  private static func padded(_ number: Int32, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func lowerCase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}

/// The parts of a time in UTC, through the C library's calendar.
private struct CalendarTime: Equatable {
  let year, month, day, hour, minute, second: Int32

  init(year: Int32, month: Int32, day: Int32, hour: Int32, minute: Int32, second: Int32) {
    (self.year, self.month, self.day) = (year, month, day)
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  init(seconds: Int64) {
    var time = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe gmtime_r(&time, &parts)
    unsafe self.init(
      year: parts.tm_year &+ 1900, month: parts.tm_mon &+ 1, day: parts.tm_mday,
      hour: parts.tm_hour, minute: parts.tm_min, second: parts.tm_sec)
  }

  /// Seconds since 1970; parts out of range are carried over.
  var seconds: Int64 {
    var parts = unsafe tm()
    unsafe parts.tm_year = year &- 1900
    unsafe parts.tm_mon = month &- 1
    unsafe parts.tm_mday = day
    unsafe parts.tm_hour = hour
    unsafe parts.tm_min = minute
    unsafe parts.tm_sec = second
    return Int64(unsafe timegm(&parts))
  }
}

/// Why a text is no time or duration.
enum TimeTextError: Refusal, Equatable {
  case notATime(String)
  case notADuration(String)
  /// Before 1970, after the year 9999, or a duration longer than that.
  case outOfRange(String)
  case fraction(String)
  case leapSecond(String)

  var category: FailureCategory { .usage }

  var code: String {
    switch self {
    case .notATime: "not-a-time"
    case .notADuration: "not-a-duration"
    case .outOfRange: "out-of-range"
    case .fraction: "fraction"
    case .leapSecond: "leap-second"
    }
  }

  var detail: [JSONMember] { [] }

  var message: String {
    switch self {
    case .notATime(let text):
      "\(PrintableText.quoted(text)) is no time: write RFC 3339, as in 2026-01-31T09:30:00Z, or "
        + "whole seconds since 1970"
    case .notADuration(let text):
      "\(PrintableText.quoted(text)) is no duration: write a whole number and one of s m h d w, "
        + "as in 90s or 7d"
    case .outOfRange(let text):
      "\(PrintableText.quoted(text)) is out of range: times lie between 1970-01-01T00:00:00Z and "
        + "9999-12-31T23:59:59Z"
    case .fraction(let text):
      "\(PrintableText.quoted(text)) has a fraction of a second: policies count whole seconds"
    case .leapSecond(let text):
      "\(PrintableText.quoted(text)) is a leap second, which seconds since 1970 do not count: "
        + "write :59 or the next :00"
    }
  }
}
