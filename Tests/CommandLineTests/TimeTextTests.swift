import Testing

@testable import policyctl

@Suite("Times and durations on the command line")
struct TimeTextTests {
  @Test(
    "reads RFC 3339 and whole seconds",
    arguments: [
      ("0", 0),
      ("1764500000", 1_764_500_000),
      ("253402300799", 253_402_300_799),
      ("1970-01-01T00:00:00Z", 0),
      ("2025-11-30T10:53:20Z", 1_764_500_000),
      ("2025-11-30t10:53:20z", 1_764_500_000),  // RFC 3339 §5.6: T and Z in either case
      ("2025-11-30T12:53:20+02:00", 1_764_500_000),
      ("2025-11-30T05:23:20-05:30", 1_764_500_000),
      ("2025-11-30T10:53:20-00:00", 1_764_500_000),  // §4.3: UTC, local offset unknown
      ("2025-11-30T10:53:20.000Z", 1_764_500_000),
      ("2024-02-29T00:00:00Z", 1_709_164_800),
      ("2000-02-29T23:59:59Z", 951_868_799),
      ("9999-12-31T23:59:59Z", 253_402_300_799),
      ("1969-12-31T23:00:00-01:00", 0),
      ("1970-01-02T00:00:00+23:59", 60),
    ] as [(String, Int64)])
  func time(text: String, seconds: Int64) throws {
    #expect(try TimeText.time(text) == seconds)
  }

  @Test(
    "refuses what is no time in range",
    arguments: [
      ("", .notATime("")),
      ("now", .notATime("now")),
      ("-1", .notATime("-1")),
      ("+1", .notATime("+1")),
      ("01", .notATime("01")),
      (" 1", .notATime(" 1")),
      ("1.5", .notATime("1.5")),
      ("1e9", .notATime("1e9")),
      ("\u{664}", .notATime("\u{664}")),  // ARABIC-INDIC DIGIT FOUR
      ("253402300800", .outOfRange("253402300800")),
      ("1764500000000", .outOfRange("1764500000000")),  // milliseconds
      ("99999999999999999999999", .outOfRange("99999999999999999999999")),
      ("2025-11-30", .notATime("2025-11-30")),
      ("2025-11-30T10:53Z", .notATime("2025-11-30T10:53Z")),
      ("2025-11-30 10:53:20Z", .notATime("2025-11-30 10:53:20Z")),
      ("2025-11-30T10:53:20", .notATime("2025-11-30T10:53:20")),
      ("2025-11-30T10:53:20ZZ", .notATime("2025-11-30T10:53:20ZZ")),
      ("2025-11-30T10:53:20.Z", .notATime("2025-11-30T10:53:20.Z")),
      ("2025-11-30T10:53:20,0Z", .notATime("2025-11-30T10:53:20,0Z")),
      ("2025-11-30T10:53:20+0200", .notATime("2025-11-30T10:53:20+0200")),
      ("2025-11-30T10:53:20+24:00", .notATime("2025-11-30T10:53:20+24:00")),
      ("2025-11-30T10:53:20+02:60", .notATime("2025-11-30T10:53:20+02:60")),
      ("2025-00-30T10:53:20Z", .notATime("2025-00-30T10:53:20Z")),
      ("2025-13-30T10:53:20Z", .notATime("2025-13-30T10:53:20Z")),
      ("2025-11-00T10:53:20Z", .notATime("2025-11-00T10:53:20Z")),
      ("2025-11-31T10:53:20Z", .notATime("2025-11-31T10:53:20Z")),
      ("2025-02-29T00:00:00Z", .notATime("2025-02-29T00:00:00Z")),
      ("2100-02-29T00:00:00Z", .notATime("2100-02-29T00:00:00Z")),
      ("2025-11-30T24:00:00Z", .notATime("2025-11-30T24:00:00Z")),
      ("2025-11-30T10:60:00Z", .notATime("2025-11-30T10:60:00Z")),
      ("2025-11-30T10:53:61Z", .notATime("2025-11-30T10:53:61Z")),
      ("1969-12-31T23:59:59Z", .outOfRange("1969-12-31T23:59:59Z")),
      ("1970-01-01T00:59:59+01:00", .outOfRange("1970-01-01T00:59:59+01:00")),
      ("9999-12-31T23:59:59-00:01", .outOfRange("9999-12-31T23:59:59-00:01")),
      ("2025-11-30T10:53:20.5Z", .fraction("2025-11-30T10:53:20.5Z")),
      ("2016-12-31T23:59:60Z", .leapSecond("2016-12-31T23:59:60Z")),
    ] as [(String, TimeTextError)])
  func badTime(text: String, error: TimeTextError) {
    #expect(throws: error) { try TimeText.time(text) }
  }

  @Test(
    "reads one number and one unit",
    arguments: [
      ("0s", 0), ("90s", 90), ("15m", 900), ("12h", 43_200), ("7d", 604_800), ("4w", 2_419_200),
      ("253402300799s", 253_402_300_799),
    ] as [(String, Int64)])
  func duration(text: String, seconds: Int64) throws {
    #expect(try TimeText.duration(text) == seconds)
  }

  @Test(
    "refuses what is no duration",
    arguments: [
      ("", .notADuration("")),
      ("90", .notADuration("90")),
      ("d", .notADuration("d")),
      ("-7d", .notADuration("-7d")),
      ("07d", .notADuration("07d")),
      ("7D", .notADuration("7D")),
      ("7 d", .notADuration("7 d")),
      ("1.5h", .notADuration("1.5h")),
      ("1h30m", .notADuration("1h30m")),
      ("7y", .notADuration("7y")),
      ("253402300800s", .outOfRange("253402300800s")),
      ("999999999999999999w", .outOfRange("999999999999999999w")),
      ("99999999999999999999s", .outOfRange("99999999999999999999s")),
    ] as [(String, TimeTextError)])
  func badDuration(text: String, error: TimeTextError) {
    #expect(throws: error) { try TimeText.duration(text) }
  }

  @Test(
    "prints UTC",
    arguments: [
      (0, "1970-01-01T00:00:00Z"),
      (1_764_500_000, "2025-11-30T10:53:20Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"),
      (-1, "-1"),
      (253_402_300_800, "253402300800"),
    ] as [(Int64, String)])
  func printsTime(seconds: Int64, text: String) {
    #expect(TimeText.text(of: seconds) == text)
  }

  @Test(
    "prints a duration in its largest whole unit",
    arguments: [
      (0, "0s"), (90, "90s"), (900, "15m"), (43_200, "12h"), (86_400, "1d"), (604_800, "1w"),
      (691_200, "8d"), (2_419_200, "4w"), (3601, "3601s"),
    ] as [(Int64, String)])
  func printsDuration(seconds: Int64, text: String) throws {
    #expect(TimeText.text(ofDuration: seconds) == text)
    #expect(try TimeText.duration(text) == seconds)
  }
}
