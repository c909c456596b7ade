public import PinPolicy

/// The property list from which CNPinningManager takes the pins that an app bakes in.
public enum CNPinningPlist {
  /// An XML property list with a domain for each rule.
  ///
  /// - Parameter rules: with chains alone, and no `any` link, which the format can't say.
  public static func text(_ rules: [HostRule]) -> String {
    var lines: [String] = []
    func add(_ depth: Int, _ line: String) {
      lines.append(String(repeating: "\t", count: depth) + line)
    }
    lines += [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "#
        + #""http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
      #"<plist version="1.0">"#, "<dict>",
    ]
    add(1, "<key>CNPinningManager</key>")
    add(1, "<dict>")
    add(2, "<key>PinnedDomains</key>")
    add(2, "<dict>")
    for rule in rules {
      add(3, "<key>\(escaped(rule.pattern.description))</key>")
      add(3, "<dict>")
      // Readers of the format refuse a domain without it.
      add(4, "<key>includesSubdomains</key>")
      add(4, rule.includesSubdomains ? "<true/>" : "<false/>")
      add(4, "<key>chainSet</key>")
      add(4, "<array>")
      for chain in rule.pinSet.chains {
        add(5, "<array>")
        for link in chain.links {
          add(6, "<dict>")
          add(7, "<key>type</key>")
          add(7, "<string>\(link.type)</string>")
          add(7, "<key>value</key>")
          add(7, "<string>\(escaped(link.value ?? ""))</string>")
          add(6, "</dict>")
        }
        add(5, "</array>")
      }
      add(4, "</array>")
      add(3, "</dict>")
    }
    add(2, "</dict>")
    add(1, "</dict>")
    return (lines + ["</dict>", "</plist>", ""]).joined(separator: "\n")
  }

  private static func escaped(_ text: String) -> String {
    // Links hold no control characters, so that these three are all that XML asks for.
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
