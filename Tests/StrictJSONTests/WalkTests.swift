import StrictJSON
import Testing

@Suite("Walking a document")
struct WalkTests {
  static let text = """
    { "a": [1, {"b\\u0062": null}, [], {}],
      "é😀": {"c": {"d": [[true]]}, "e": "x"} ,"f":false}
    """

  @Test("Kinds and counts")
  func kinds() throws {
    let document = try JSONDocument(#"[{"a":1,"b":[]},[1,[2,3]],"s",-1,true,false,null]"#)
    let elements = Array(document.elements(of: document.root))
    #expect(document.kind(of: document.root) == .array)
    #expect(document.count(of: document.root) == 7)
    #expect(
      elements.map(document.kind) == [.object, .array, .string, .number, .true, .false, .null])
    #expect(elements.map(document.count) == [2, 2, 0, 0, 0, 0, 0])
  }

  @Test("Members and elements come in the order of the document")
  func order() throws {
    let document = try JSONDocument(Self.text)
    #expect(
      try document.value(document.root)
        == .object([
          JSONMember(
            "a",
            .array([.integer(1), .object([JSONMember("bb", .null)]), .array([]), .object([])])),
          JSONMember(
            "é😀",
            .object([
              JSONMember("c", .object([JSONMember("d", .array([.array([.bool(true)])]))])),
              JSONMember("e", .string("x")),
            ])),
          JSONMember("f", .bool(false)),
        ]))
  }

  @Test("What is no object has no members, what is no array no elements")
  func otherKinds() throws {
    let document = try JSONDocument(#"[{"a":1},[1],"s",1,null]"#)
    let elements = Array(document.elements(of: document.root))
    #expect(elements.map { Array(document.members(of: $0)).count } == [1, 0, 0, 0, 0])
    #expect(elements.map { Array(document.elements(of: $0)).count } == [0, 1, 0, 0, 0])
    #expect(
      elements.map { document.member("a", of: $0) != nil } == [true, false, false, false, false])
  }

  @Test("A cursor visits what the sequences do")
  func cursor() throws {
    let document = try JSONDocument(Self.text)
    var visited = 0
    func visit(_ node: JSONDocument.Node) {
      var cursor = document.cursor(in: node)
      var names: [JSONDocument.Node] = []
      while let next = document.next(&cursor) { names.append(next) }
      let isObject = document.kind(of: node) == .object
      #expect(
        names
          == (isObject
            ? document.members(of: node).map { $0.name } : Array(document.elements(of: node))))
      #expect(names.count == document.count(of: node))
      visited += 1
      for name in names {
        let value = document.value(of: name)
        #expect(document.value(of: value) == value)
        #expect((value == name) == !isObject)
        visit(value)
      }
    }
    visit(document.root)
    #expect(visited == 14)
  }

  @Test("Members are found by what their names spell")
  func member() throws {
    let document = try JSONDocument(Self.text)
    let array = try #require(document.member("a", of: document.root))
    let object = try #require(document.elements(of: array).dropFirst().first { _ in true })
    #expect(document.member("bb", of: object).map(document.kind) == .null)
    #expect(document.member("b\\u0062", of: object) == nil)
    #expect(document.member("é😀", of: document.root) != nil)
    #expect(document.member("e\u{301}😀", of: document.root) == nil)
    #expect(document.member("b", of: document.root) == nil)
  }

  @Test("Every node has a path and a position")
  func places() throws {
    let document = try JSONDocument(Self.text)
    var places: [String] = []
    func visit(_ node: JSONDocument.Node) {
      let (line, column) = document.position(of: node)
      places.append("\(document.path(to: node)) \(line):\(column)")
      for element in document.elements(of: node) { visit(element) }
      for (name, value) in document.members(of: node) {
        #expect(document.path(to: name) == document.path(to: value))
        let (line, column) = document.position(of: name)
        places.append("name \(document.string(name)) \(line):\(column)")
        visit(value)
      }
    }
    visit(document.root)
    #expect(
      places == [
        "$ 1:1", "name a 1:3", "$['a'] 1:8", "$['a'][0] 1:9", "$['a'][1] 1:12", "name bb 1:13",
        "$['a'][1]['bb'] 1:24", "$['a'][2] 1:31", "$['a'][3] 1:35", "name é😀 2:3", "$['é😀'] 2:9",
        "name c 2:10", "$['é😀']['c'] 2:15", "name d 2:16", "$['é😀']['c']['d'] 2:21",
        "$['é😀']['c']['d'][0] 2:22", "$['é😀']['c']['d'][0][0] 2:23", "name e 2:32",
        "$['é😀']['e'] 2:37", "name f 2:43", "$['f'] 2:47",
      ])
  }

  @Test(
    "Lines and columns of any offset, at the end and beyond it too",
    arguments: [
      (0, 1, 1), (1, 1, 2), (3, 1, 3), (4, 2, 1), (8, 2, 2), (9, 2, 3), (99, 2, 3), (-1, 1, 1),
    ])
  func positions(offset: Int, line: Int, column: Int) {
    let position = JSONDocument.position(of: offset, in: Array("aé\n😀b".utf8))
    #expect(position == (line, column))
  }

  /// Texts with more nodes to a byte than a policy has: the tape has to grow.
  @Test(
    "Dense texts are read whole", arguments: [1, 7, 8, 9, 64, 100, 1000, 50_000])
  func dense(count: Int) throws {
    for element in ["1", "[]", "{}", "\"\"", #"{"":0}"#] {
      let text = "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
      let document = try JSONDocument(text)
      #expect(document.count(of: document.root) == count)
      #expect(document.elements(of: document.root).reduce(0) { count, _ in count + 1 } == count)
      #expect(refusal(text + "]")?.reason == .trailingBytes)
      #expect(refusal(text.dropLast() + ",]")?.path == .root.index(count))
    }
  }

  @Test(
    "White space of all four kinds may stand between tokens",
    arguments: ["", " ", "\t", "\r", "\n", "        ", " \r\n\t   \n\n                \t"])
  func whiteSpace(space: String) throws {
    let tokens = [
      "", "[", "1", ",", "{", "\"a\"", ":", "true", ",", "\"b\"", ":", "[", "]", "}", "]", "",
    ]
    let document = try JSONDocument(tokens.joined(separator: space))
    #expect(
      try document.value(document.root)
        == .array([
          .integer(1), .object([JSONMember("a", .bool(true)), JSONMember("b", .array([]))]),
        ]))
  }
}
