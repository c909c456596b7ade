import PinPolicy
import PinProbe

/// The hosts of a check as JUnit XML, which build servers show: a test case a host.
enum JUnitReport {
  /// - Parameter failing: whether a host counts as failed, not merely as unreachable.
  static func text(_ hosts: [CheckedHost], failing: (CheckedHost) -> Bool) -> String {
    let failures = hosts.count(where: failing)
    let errors = hosts.count { !failing($0) && $0.failure != nil }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuites>"#,
      #"<testsuite name="policyctl check" tests="\#(hosts.count)" failures="\#(failures)" "#
        + #"errors="\#(errors)">"#,
    ]
    for host in hosts {
      lines.append(
        #"<testcase classname="policyctl.check" name="\#(escaped(host.endpoint.description))">"#)
      if failing(host) {
        let why = reasons(host)
        lines.append(
          #"<failure type="\#(host.verdict?.rawValue ?? "")" message="\#(escaped(why.first ?? ""))">"#
            + why.map(escaped).joined(separator: "\n") + "</failure>")
      } else if let failure = host.failure {
        lines.append(
          #"<error type="\#(escaped(failure.code))" message="\#(escaped(failure.message))"/>"#)
      }
      if !host.warnings.isEmpty {
        let text = host.warnings.map { escaped($0.message) }.joined(separator: "\n")
        lines.append("<system-out>\(text)</system-out>")
      }
      lines.append("</testcase>")
    }
    return (lines + ["</testsuite>", "</testsuites>", ""]).joined(separator: "\n")
  }

  private static func reasons(_ host: CheckedHost) -> [String] {
    host.chains.flatMap { chain in
      chain.answers.flatMap { answer in
        answer.why.map { "\(chain.key), \(answer.store): \(answer.verdict.rawValue): \($0)" }
      }
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in PrintableText.escape(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
