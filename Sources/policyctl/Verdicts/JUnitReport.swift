import PinPolicy
import PinProbe
import StrictJSON

/// The hosts of a check as JUnit XML, which build servers show: a test case a host.
struct JUnitReport {
  /// What every result of the verb carries.
  let properties: [JSONMember]

  /// - Parameter failing: whether a host counts as failed, not merely as unreachable.
  func text(_ hosts: [CheckedHost], failing: (CheckedHost) -> Bool) -> String {
    let failures = hosts.count(where: failing)
    let errors = hosts.count { !failing($0) && $0.failure != nil }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuites>"#,
      #"<testsuite name="policyctl check" tests="\#(hosts.count)" failures="\#(failures)" "#
        + #"errors="\#(errors)">"#,
    ]
    lines.append("<properties>")
    for property in properties {
      let value = JSONWriter.text(property.value, order: .asGiven, indent: nil)
      lines.append(
        #"<property name="\#(property.name)" value="\#(Self.escaped(value))"/>"#)
    }
    lines.append("</properties>")
    for host in hosts {
      lines.append(
        #"<testcase classname="policyctl.check" name="\#(Self.escaped(host.endpoint.description))">"#
      )
      if failing(host) {
        let why = reasons(host)
        lines.append(
          #"<failure type="\#(host.verdict?.rawValue ?? "")" message="\#(Self.escaped(why.first ?? ""))">"#
            + why.map(Self.escaped).joined(separator: "\n") + "</failure>")
      } else if let failure = host.failure {
        lines.append(
          #"<error type="\#(Self.escaped(failure.code))" message="\#(Self.escaped(failure.message))"/>"#
        )
      }
      let remarks = (failing(host) ? [] : reasons(host)) + host.warnings.map(\.message)
      if !remarks.isEmpty {
        let text = remarks.map(Self.escaped).joined(separator: "\n")
        lines.append("<system-out>\(text)</system-out>")
      }
      lines.append("</testcase>")
    }
    return (lines + ["</testsuite>", "</testsuites>", ""]).joined(separator: "\n")
  }

  private func reasons(_ host: CheckedHost) -> [String] {
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
