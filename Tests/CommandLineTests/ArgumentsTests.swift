import PinPolicy
import Testing

@testable import policyctl

private let key = Option("key", short: "k", .file("PUB"), repeatable: true, "keys")
private let output = Option("output", short: "o", .file("FILE"), "where to")
private let notes = Option("keep-notes", short: "n", "notes")
private let form = Option("form", .choice("FORM", ["der", "jose"]), "how")
private let time = Option("at", .time, "when")
private let length = Option("valid-for", .duration, "how long")
private let skew = Option("skew", .seconds(most: 300), "tolerance")
private let most = Option("max-hosts", .count(most: 4_294_967_295), "how many")
private let audience = Option("audience", .audience("AUDIENCE"), "for whom")

private func verb(_ rules: [OptionRule] = [], takesMore: Bool = false) -> Verb {
  Verb(
    name: "try", summary: "tries", operands: [.init(name: "FILE", isRepeatable: takesMore)],
    options: [key, output, notes, form, time, length, skew, most, audience], rules: rules, run: nil)
}

@Suite("arguments")
struct ArgumentsTests {
  @Test(
    "takes every spelling of an option",
    arguments: [
      ["--key", "a", "f"], ["--key=a", "f"], ["-k", "a", "f"], ["-ka", "f"], ["f", "--key", "a"],
      ["f", "-k", "a"], ["--key", "a", "--", "f"], ["-nka", "f"], ["-nk", "a", "f"],
    ])
  func spellings(words: [String]) throws {
    let arguments = try Arguments(words, for: verb())
    #expect(arguments.texts(key) == ["a"])
    #expect(arguments.operands == ["f"])
  }

  @Test("keeps repeated values in order, and one that holds = or a dash")
  func values() throws {
    let words = ["--key=a=b", "-k", "c", "--key=--d", "-o", "-", "--", "-"]
    let arguments = try Arguments(words, for: verb())
    #expect(arguments.texts(key) == ["a=b", "c", "--d"])
    #expect(arguments.text(output) == "-")
    #expect(arguments.operands == ["-"])
    #expect(!arguments.has(notes))
  }

  @Test("takes nothing after -- for an option")
  func ending() throws {
    let arguments = try Arguments(["--", "--keep-notes"], for: verb())
    #expect(arguments.operands == ["--keep-notes"])
    #expect(!arguments.has(notes))
  }

  @Test("reads times, durations and numbers")
  func numbers() throws {
    let words = ["f", "--at=1970-01-02T00:00:00Z", "--valid-for=2h", "--skew=5m", "--max-hosts=12"]
    let arguments = try Arguments(words, for: verb())
    #expect(arguments.number(time) == 86_400)
    #expect(arguments.number(length) == 7200)
    #expect(arguments.number(skew) == 300)
    #expect(arguments.number(most) == 12)
    #expect(try Arguments(["f", "--skew", "7"], for: verb()).number(skew) == 7)
  }

  @Test(
    "refuses what is used wrongly",
    arguments: [
      (["--kee", "a", "f"], "unknown-option", "there is no option --kee; did you mean --key?"),
      (["--form-at", "f"], "unknown-option", "there is no option --form-at"),
      (["-x", "f"], "unknown-option", "there is no option -x"),
      (["-nx", "f"], "unknown-option", "there is no option -x"),
      (["--keep-notes=1", "f"], "unexpected-value", "--keep-notes takes no value"),
      (["f", "--key"], "missing-value", "--key needs a value: --key PUB"),
      (["--key", "--at", "1", "f"], "missing-value", "--key needs a value: --key PUB"),
      (["f", "-o"], "missing-value", "--output needs a value: --output FILE"),
      (["f", "--output="], "bad-value", "--output: the value is empty"),
      (["f", "-oa", "--output", "b"], "repeated-option", "--output is given twice"),
      (
        ["f", "--form", "dre"], "bad-value",
        "--form: “dre” is not known; it is one of der jose; did you mean der?"
      ),
      (["f", "--skew", "301"], "bad-value", "--skew: “301” is more than 300 seconds"),
      (["f", "--skew", "1.5"], "bad-value", "--skew: “1.5” is no whole number of seconds"),
      (["f", "--skew=-1"], "bad-value", "--skew: “-1” is negative"),
      (["f", "--skew", "-1"], "bad-value", "--skew: “-1” is negative"),
      (["f", "--at", "-1"], "bad-value", "--at: “-1” is negative"),
      (["f", "--valid-for", "-7d"], "bad-value", "--valid-for: “-7d” is negative"),
      (["f", "--max-hosts", "-1"], "bad-value", "--max-hosts: “-1” is negative"),
      (
        ["f", "--skew", "99999999999999999999"], "bad-value",
        "--skew: “99999999999999999999” is more than 300 seconds"
      ),
      (
        ["f", "--audience", "a b"], "bad-value",
        "--audience: “a b” is no audience: 1 to 255 visible ASCII characters, without spaces"
      ),
      (
        ["f", "--audience", "é"], "bad-value",
        "--audience: “é” is no audience: 1 to 255 visible ASCII characters, without spaces"
      ),
      (
        ["-", "--key", "-"], "repeated-input",
        "standard input (-) can be read once, and is an argument and --key"
      ),
      (["f", "--max-hosts", "0"], "bad-value", "--max-hosts: “0” is no whole number from 1"),
      (["f", "--max-hosts", "+1"], "bad-value", "--max-hosts: “+1” is no whole number from 1"),
      (
        ["f", "--max-hosts", "9223372036854775808"], "bad-value",
        "--max-hosts: “9223372036854775808” is more than 4294967295"
      ),
      (
        ["f", "--max-hosts", "4294967296"], "bad-value",
        "--max-hosts: “4294967296” is more than 4294967295"
      ),
      ([], "missing-argument", "FILE is missing"),
      (["f", "g"], "unexpected-argument", "“g” is one argument too many"),
      ([""], "empty-argument", "FILE is empty"),
    ])
  func refusal(words: [String], code: String, message: String) {
    refuses(words, verb(), code, message)
  }

  @Test(
    "checks options against each other",
    arguments: [
      ([OptionRule.required("key")], ["f"], "missing-option", "--key PUB is missing"),
      (
        [.exactlyOne(["at", "valid-for"])], ["f"], "missing-option",
        "one of --at and --valid-for is missing"
      ),
      (
        [.exactlyOne(["at", "valid-for"])], ["f", "--at", "1", "--valid-for", "1d"],
        "conflicting-options", "--at and --valid-for exclude each other"
      ),
      (
        [.atMostOne(["at", "skew"])], ["f", "--at", "1", "--skew", "1"], "conflicting-options",
        "--at and --skew exclude each other"
      ),
      ([.needs("form", "key")], ["f", "--form", "der"], "missing-option", "--form needs --key"),
    ])
  func rules(rules: [OptionRule], words: [String], code: String, message: String) {
    refuses(words, verb(rules), code, message)
  }

  @Test("takes any number of the last argument where the verb does")
  func repeatable() throws {
    let arguments = try Arguments(["f", "g", "h"], for: verb(takesMore: true))
    #expect(arguments.operands == ["f", "g", "h"])
    refuses([], verb(takesMore: true), "missing-argument", "FILE is missing")
    #expect(try Arguments(["f", ""], for: verb(takesMore: true)).operands == ["f", ""])
  }

  @Test("asks for nothing more when help is wanted")
  func help() throws {
    #expect(try Arguments(["--help"], for: verb([.required("key")])).has(.help))
  }

  private func refuses(_ words: [String], _ verb: Verb, _ code: String, _ message: String) {
    do throws(Failure) {
      _ = try Arguments(words, for: verb)
      Issue.record("\(words) is taken")
    } catch {
      #expect(error.code == code)
      #expect(error.message == message)
      #expect(error.status == .usage)
      #expect(error.category == .usage)
    }
  }
}

@Suite("suggestions")
struct SuggestionTests {
  @Test(
    "suggests the nearest word, and none that is far",
    arguments: [
      ("verfy", "verify"), ("vreify", "verify"), ("singn", "sign"), ("resolv", "resolve"),
      ("insp", "inspect"), ("SIGN", "sign"), ("pni", "pin"), ("x", nil), ("wibble", nil), ("", nil),
      (String(repeating: "sign", count: 100), nil),
    ] as [(String, String?)])
  func nearest(word: String, expected: String?) {
    let words = ["verify", "sign", "resolve", "inspect", "pin"]
    #expect(Suggestion.nearest(to: word, among: words) == expected)
  }
}
