public import PinPolicy
public import StrictJSON

extension JWSError {
  public var category: FailureCategory {
    switch self {
    case .tooLong, .headerTooLong: .limit
    case .notThreeSegments, .notBase64URL: .encoding
    case .headerJSON(let error): error.isLimit ? .limit : .header
    case .duplicateHeaderMember, .headerNotObject, .missingHeaderMember, .headerMemberNotText,
      .unknownHeaderMember, .unknownType, .profileNotAccepted, .unknownAlgorithm:
      .header
    case .missingKeyIdentifier, .unknownKeyIdentifier, .keyNotForAlgorithm, .keyNotForProfile,
      .noKey:
      .key
    case .emptySignature, .notDER, .notRaw, .otherECDSAEncoding, .numberOutOfRange, .badSignature:
      .signature
    case .openSSL: .internal
    }
  }

  public var code: String {
    switch self {
    case .tooLong: "too-long"
    case .headerTooLong: "header-too-long"
    case .notThreeSegments: "not-three-segments"
    case .notBase64URL: "not-base64url"
    case .headerJSON(let error): error.isLimit ? "header-json-limit" : "header-json"
    case .duplicateHeaderMember: "duplicate-header-member"
    case .headerNotObject: "header-not-object"
    case .missingHeaderMember: "missing-header-member"
    case .headerMemberNotText: "header-member-not-text"
    case .unknownHeaderMember: "unknown-header-member"
    case .unknownType: "unknown-type"
    case .profileNotAccepted: "profile-not-accepted"
    case .unknownAlgorithm: "unknown-algorithm"
    case .missingKeyIdentifier: "missing-key-identifier"
    case .unknownKeyIdentifier: "unknown-key-identifier"
    case .keyNotForAlgorithm: "key-not-for-algorithm"
    case .keyNotForProfile: "key-not-for-profile"
    case .noKey: "no-key"
    case .emptySignature: "empty-signature"
    case .notDER: "signature-not-der"
    case .notRaw: "signature-not-raw"
    case .otherECDSAEncoding: "other-ecdsa-encoding"
    case .numberOutOfRange: "signature-out-of-range"
    case .badSignature: "bad-signature"
    case .openSSL: "openssl"
    }
  }

  public var message: String {
    switch self {
    case .tooLong(let bytes, let limit):
      "The signed policy has \(bytes) bytes; at most \(limit) are read."
    case .headerTooLong(let bytes, let limit):
      "The protected header has \(bytes) bytes; at most \(limit) are read."
    case .notThreeSegments(1):
      "This is not a signed policy: a compact JWS is header.payload.signature, and no full stop "
        + "is here. A source document must be signed first."
    case .notThreeSegments(let found):
      "A compact JWS has 3 segments, header.payload.signature; this has \(found)."
    case .notBase64URL(let segment):
      "The \(segment.rawValue) segment is not base64url: A-Z a-z 0-9 - _ alone, without padding, "
        + "white space or unused bits. Was the file altered on its way?"
    case .headerJSON(let error):
      "The protected header, line \(error.line), column \(error.column): "
        + "\(error.reason)."
    case .duplicateHeaderMember(let line, let column):
      "The protected header has a member twice (line \(line), column \(column))."
    case .headerNotObject:
      "The protected header is JSON, but not an object."
    case .missingHeaderMember(let member):
      "The protected header has no `\(member.rawValue)`, which is required."
    case .headerMemberNotText(let member):
      "`\(member.rawValue)` in the protected header must be a string."
    case .unknownHeaderMember(let line, let column):
      "The protected header has a member other than alg, typ and kid (line \(line), column "
        + "\(column)). Keys and extensions are never taken from the message."
    case .unknownType(let type):
      "`typ` is \(PrintableText.quoted(type)); a policy has \(Self.types)."
    case .profileNotAccepted(let profile):
      "This is a policy of profile \(profile.rawValue), which is not accepted here."
    case .unknownAlgorithm(let token, let profile):
      "`alg` is \(PrintableText.quoted(token)), which profile \(profile.rawValue) does not have; "
        + "it is one of \(Self.list(SignatureAlgorithm.allCases.map(\.rawValue)))."
    case .missingKeyIdentifier(let trusted):
      "The protected header has no `kid`, which must name the key that signed. "
        + "Trusted: \(Self.list(trusted))."
    case .unknownKeyIdentifier(let identifier, let trusted):
      "`kid` is \(PrintableText.quoted(identifier)), which is no trusted key. "
        + "Trusted: \(Self.list(trusted))."
    case .keyNotForAlgorithm(let identifier, let algorithm, let allowed):
      "The key \(PrintableText.quoted(identifier)) may not be used for \(algorithm.rawValue), "
        + "only for \(Self.list(allowed.map(\.rawValue)))."
    case .keyNotForProfile(let identifier, let profile):
      "The key \(PrintableText.quoted(identifier)) may not sign policies of profile "
        + "\(profile.rawValue)."
    case .noKey(let algorithm, let profile):
      "No trusted key may sign \(algorithm.rawValue) policies of profile \(profile.rawValue)."
    case .emptySignature:
      "The signature is empty."
    case .notDER:
      "The signature is not the strict DER of two positive numbers."
    case .notRaw(let expected):
      "The signature is not r and s of \(expected) bytes together."
    case .otherECDSAEncoding(let encoding):
      switch encoding {
      case .jose:
        "The signature has the raw form of RFC 7518, r and s one after the other, and DER is "
          + "expected: try --ecdsa jose."
      case .der:
        "The signature is DER, and the raw form of RFC 7518 is expected: try --ecdsa der."
      }
    case .numberOutOfRange:
      "A number of the signature is 0 or not below the order of the curve."
    case .badSignature(let keys):
      "The signature does not verify: the policy was altered, or another key than "
        + "\(Self.list(keys)) signed it."
    case .openSSL(let error):
      "OpenSSL could not check the signature: \(error)."
    }
  }

  public var detail: [JSONMember] {
    switch self {
    case .tooLong(let bytes, let limit), .headerTooLong(let bytes, let limit):
      [JSONMember("bytes", .integer(Int64(bytes))), JSONMember("limit", .integer(Int64(limit)))]
    case .notThreeSegments(let found): [JSONMember("segments", .integer(Int64(found)))]
    case .notBase64URL(let segment): [JSONMember("segment", .string(segment.rawValue))]
    case .headerJSON(let error): Self.place(line: error.line, column: error.column)
    case .duplicateHeaderMember(let line, let column), .unknownHeaderMember(let line, let column):
      Self.place(line: line, column: column)
    case .headerNotObject, .emptySignature, .notDER, .numberOutOfRange, .openSSL: []
    case .missingHeaderMember(let member), .headerMemberNotText(let member):
      [JSONMember("member", .string(member.rawValue))]
    case .unknownType(let type): [JSONMember("typ", .string(type))]
    case .profileNotAccepted(let profile): [JSONMember("profile", .string(profile.rawValue))]
    case .unknownAlgorithm(let token, let profile):
      [JSONMember("alg", .string(token)), JSONMember("profile", .string(profile.rawValue))]
    case .missingKeyIdentifier(let trusted): [JSONMember("trusted", Self.array(trusted))]
    case .unknownKeyIdentifier(let identifier, let trusted):
      [JSONMember("kid", .string(identifier)), JSONMember("trusted", Self.array(trusted))]
    case .keyNotForAlgorithm(let identifier, let algorithm, let allowed):
      [
        JSONMember("kid", .string(identifier)), JSONMember("alg", .string(algorithm.rawValue)),
        JSONMember("allowed", Self.array(allowed.map(\.rawValue))),
      ]
    case .keyNotForProfile(let identifier, let profile):
      [
        JSONMember("kid", .string(identifier)), JSONMember("profile", .string(profile.rawValue)),
      ]
    case .noKey(let algorithm, let profile):
      [
        JSONMember("alg", .string(algorithm.rawValue)),
        JSONMember("profile", .string(profile.rawValue)),
      ]
    case .notRaw(let expected): [JSONMember("expectedBytes", .integer(Int64(expected)))]
    case .otherECDSAEncoding(let encoding): [JSONMember("ecdsa", .string(encoding.rawValue))]
    case .badSignature(let keys): [JSONMember("keys", Self.array(keys))]
    }
  }

  private static let types = list(Profile.allCases.map { "“\($0.type)” (\($0.rawValue))" })

  private static func list(_ texts: [String]) -> String {
    texts.isEmpty ? "none" : PrintableText.cut(texts.joined(separator: ", "))
  }

  private static func array(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  private static func place(line: Int, column: Int) -> [JSONMember] {
    [JSONMember("line", .integer(Int64(line))), JSONMember("column", .integer(Int64(column)))]
  }
}
