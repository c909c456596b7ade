import PinPolicy

/// Invents payloads: policies, with something odd in one place of `oddity`.
struct PolicyGrammar {
  var random: SplitMix
  /// 0: never.
  let oddity: Int
  private var depth = 0

  init(random: SplitMix, oddity: Int) {
    self.random = random
    self.oddity = oddity
  }

  mutating func payload(_ profile: Profile) -> [UInt8] {
    var members: [String]
    switch profile {
    case .standard:
      members = [
        "\"version\":\(odd("1"))", "\"aud\":\(odd("\"payments\""))", "\"iat\":\(odd("1764500000"))",
        "\"exp\":\(odd("1765104800"))", "\"hosts\":\(object(0..<6) { $0.host(rules: true) })",
      ]
      if chance(4) { members.append("\"iss\":\(odd("\"https://i.example\""))") }
      if chance(4) { members.append("\"refreshHint\":\(odd("3600"))") }
      if chance(4) { members.append("\"denied\":\(pins())") }
      if chance(4) { members.append("\"reportTo\":\(odd(#"["https://r.example/x?y"]"#))") }
    case .cnpinning:
      members = ["\"iat\":\(odd("1764500000"))", "\"exp\":\(odd("1765104800"))"]
      members += distinct(0..<6) { $0.host(rules: false) }
    }
    if chance(2) { members.shuffle(using: &random) }
    if isOdd() { members.append("\(string("note")):\(any())") }
    if isOdd(), let first = members.first { members.append(first) }
    var bytes = Array(space("{", members.map { space("", [$0], "") }, "}").utf8)
    if isOdd() { bytes = spoilt(bytes) }
    return bytes
  }

  private mutating func host(rules: Bool) -> String {
    var name = pick([
      "a.example", "b.a.example", "api.example.com", "*", "192.0.2.1", "2001:db8::1", "localhost",
      "xn--bcher-kva.example", "x_y.example", "API.example",
    ])
    if isOdd() {
      name = pick([
        "", ".", "*.a.example", "a..example", "-a.example", "a.example.", "bücher.example",
        "192.0.2.01", "[2001:db8::1]", "2001:DB8::1", "a.example:443", "iat", "iss", "0x7f.1",
        String(repeating: "a", count: 64) + ".example", String(repeating: "a.", count: 130) + "b",
      ])
    }
    return "\(string(name)):\(rules ? rule(name) : chains(anyLink: false))"
  }

  private mutating func rule(_ name: String) -> String {
    let mode = odd(pick(["\"enforce\"", "\"report\"", "\"exempt\""]))
    var members = ["\"mode\":\(mode)"]
    if mode != "\"exempt\"" || isOdd() {
      let kinds = ["any", "leaf", "ca", "anchor"].filter { _ in chance(2) }
      let lists = kinds.map { "\"\($0)\":\(pins())" }
      if !lists.isEmpty || isOdd() { members.append("\"spki\":{\(lists.joined(separator: ","))}") }
      if lists.isEmpty || chance(2) { members.append("\"chains\":\(chains(anyLink: true))") }
      if chance(3) { members.append("\"require\":\(odd("\"any\""))") }
    }
    let isName = name != "*" && !name.utf8.allSatisfy { "0123456789abcdef.:".utf8.contains($0) }
    if (isName && chance(3)) || isOdd() { members.append("\"includesSubdomains\":\(odd("true"))") }
    if chance(5) { members.append("\"note\":\(text())") }
    if isOdd() { members.append("\(text()):\(any())") }
    return odd("{\(members.joined(separator: ","))}")
  }

  private mutating func pins() -> String {
    let many = oddity > 0 && chance(oddity * 20)
    return list(many ? 250..<260 : 1..<4) { grammar in
      let digit = grammar.pick(["A", "B", "C"])
      let pin = "sha256/" + String(repeating: digit, count: 42) + grammar.odd("A", "B") + "="
      return grammar.odd(grammar.string(pin))
    }
  }

  private mutating func chains(anyLink: Bool) -> String {
    list(1..<3) { $0.list(1..<4) { $0.link(anyLink: anyLink) } }
  }

  private mutating func link(anyLink: Bool) -> String {
    var type = pick(["exact", "prefix", "prefixWithNumber", "suffix"])
    if (anyLink && chance(4)) || isOdd() { type = "any" }
    var members = ["\"type\":\(odd(string(type)))"]
    if type != "any" || isOdd() { members.append("\"value\":\(text())") }
    if isOdd() { members.append("\"note\":\(any())") }
    return odd("{\(members.joined(separator: ","))}")
  }

  private mutating func text() -> String {
    odd(string(pick(["Root X", "R", "a", "é", "e\u{301}", "日本", "😀", "x\"y\\z/"])))
  }

  /// A string in one of the ways to write it.
  private mutating func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        result += "\\\(scalar)"
      } else if oddity > 0 && chance(200) {
        for unit in scalar.utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Any JSON value, or what is none.
  private mutating func any() -> String {
    depth += 1
    defer { depth -= 1 }
    switch random.next(below: depth > 20 ? 6 : 9) {
    case 0:
      return pick([
        "null", "true", "false", "0", "-1", "1.0", "1e3", "01", "-0", "253402300800",
        "9223372036854775808", String(repeating: "9", count: 32), String(repeating: "9", count: 33),
        "NaN", "tru", "",
      ])
    case 1:
      return pick([
        #""\ud800""#, #""\u0000""#, "\"\u{202e}\"", "\"\u{7f}\"", #""\x""#, "\"", "''", "\"\t\"",
        "\"\(String(repeating: "n", count: 1025))\"", "\"javascript:\"", "\"sha256/\"",
      ])
    case 2: return "[" + String(repeating: "[", count: random.next(below: 40))
    case 3:
      return pick(["[]", "{}", "[[]]", #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, ",", ":", "]"])
    case 4:
      let count = random.next(below: chance(50) ? 20_000 : 40)
      return "[" + Array(repeating: pick(["1", "[]", "\"\""]), count: count).joined(separator: ",")
        + "]"
    case 5: return text()
    case 6: return list(0..<4) { $0.any() }
    case 7: return object(0..<4) { "\($0.text()):\($0.any())" }
    default:
      let open = random.next(below: 20)
      return String(repeating: "[", count: open) + any() + String(repeating: "]", count: open)
    }
  }

  private mutating func list(
    _ counts: Range<Int>, _ element: (inout PolicyGrammar) -> String
  ) -> String {
    let count = isOdd() ? 0 : Int.random(in: counts, using: &random)
    return odd(space("[", (0..<count).map { _ in element(&self) }, "]"))
  }

  private mutating func object(
    _ counts: Range<Int>, _ member: (inout PolicyGrammar) -> String
  ) -> String {
    odd(space("{", distinct(counts, member), "}"))
  }

  /// Members of different names, most of the time.
  private mutating func distinct(
    _ counts: Range<Int>, _ member: (inout PolicyGrammar) -> String
  ) -> [String] {
    var names: Set<String> = []
    var members: [String] = []
    for _ in 0..<Int.random(in: counts, using: &random) {
      let member = member(&self)
      let name = member.prefix { $0 != ":" }.lowercased()
      if names.insert(name).inserted || isOdd() { members.append(member) }
    }
    return members
  }

  /// Separators with white space around them now and then.
  private mutating func space(_ open: String, _ parts: [String], _ close: String) -> String {
    let separator = chance(20) ? pick([" , ", ",\n", ",\r\n\t"]) : ","
    return open + parts.joined(separator: isOdd() ? ",," : separator) + close
  }

  /// Breaks the text as a whole: bytes that are no UTF-8, an end that is missing or too much.
  private mutating func spoilt(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    let place = random.next(below: bytes.count)
    switch random.next(below: 5) {
    case 0: bytes.insert(pick([0xff, 0x80, 0xc0, 0xed, 0x00, 0x1f]), at: place)
    case 1: bytes.removeSubrange(place...)
    case 2: bytes += Array("}".utf8)
    case 3: bytes = [0xef, 0xbb, 0xbf] + bytes
    default: bytes.insert(contentsOf: bytes[place...], at: place)
    }
    return bytes
  }

  private mutating func odd(_ usual: String) -> String { isOdd() ? any() : usual }

  private mutating func odd(_ usual: String, _ other: String) -> String { isOdd() ? other : usual }

  private mutating func isOdd() -> Bool { oddity > 0 && chance(oddity) }

  /// Once in so many times.
  private mutating func chance(_ count: Int) -> Bool { random.next(below: count) == 0 }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[random.next(below: elements.count)]
  }
}
