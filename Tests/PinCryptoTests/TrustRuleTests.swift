import LoopbackTLS
import PinCrypto
import PinPolicy
import Testing

/// Each rule of trust evaluation at its edges, with the exact reason and certificate.
@Suite("trust evaluation")
struct TrustRuleTests {
  @Test("the host is an alternative name of the leaf", arguments: hosts)
  func host(row: TrustRow) throws {
    let outcome = try row.make().outcome()
    #expect(outcome == row.outcome)
  }

  static let hosts = [
    ("a.test", ["a.test"], "trusted 3"),
    ("A.TEST.", ["a.test"], "trusted 3"),
    ("a.test", ["b.test", "A.Test"], "trusted 3"),
    ("b.a.test", ["a.test"], "hostname 0"),
    ("b.a.test", ["*.a.test"], "trusted 3"),
    ("a.test", ["*.a.test"], "hostname 0"),
    ("c.b.a.test", ["*.a.test"], "hostname 0"),
    // Wildcards are whole labels, the first one.
    ("www.a.test", ["w*.a.test"], "hostname 0"),
    ("www.a.test", ["www.*.test"], "hostname 0"),
    ("a.test", ["*.test"], "hostname 0"),
    ("127.0.0.1", ["127.0.0.1"], "trusted 3"),
    ("127.0.0.1", ["127.0.0.2"], "hostname 0"),
    ("::1", ["::1"], "trusted 3"),
    ("[0:0:0:0:0:0:0:1]", ["::1"], "trusted 3"),
    ("::1", ["127.0.0.1"], "hostname 0"),
    ("10.0.0.1", ["*.0.0.1"], "hostname 0"),
  ].map { host, names, outcome in
    TrustRow("\(host) by \(names)", outcome) {
      try Authorities().evaluation { $0.hosts = names }.with { $0.host = host }
    }
  }

  @Test("a Common Name is never the host, nor an address written as a name", arguments: names)
  func commonName(row: TrustRow) throws {
    let outcome = try row.make().outcome()
    #expect(outcome == row.outcome)
  }

  static let names = [
    TrustRow("Common Name alone", "hostname 0") { try Authorities().evaluation { $0.hosts = [] } },
    TrustRow("Common Name beside an address", "hostname 0") {
      try Authorities().evaluation { $0.hosts = ["127.0.0.1"] }
    },
    TrustRow("dNSName of an address", "hostname 0") {
      try Authorities().evaluation {
        $0.hosts = []
        $0.extensions = [.init("subjectAltName", "DNS:127.0.0.1")]
      }.with { $0.host = "127.0.0.1" }
    },
    TrustRow("no Common Name at all", "trusted 3") {
      try Authorities().evaluation { $0.commonNames = [] }
    },
  ]

  @Test("every certificate is in its time", arguments: times)
  func time(row: TrustRow) throws {
    let outcome = try row.make().outcome()
    #expect(outcome == row.outcome)
  }

  static let times = [
    TrustRow("begins now", "trusted 3") {
      try Authorities().evaluation { $0.notBefore = TestTime.now }
    },
    TrustRow("begins in a second", "not-yet-valid 0") {
      try Authorities().evaluation { $0.notBefore = TestTime.now + 1 }
    },
    TrustRow("ends in a second", "trusted 3") {
      try Authorities().evaluation { $0.notAfter = TestTime.now + 1 }
    },
    // RFC 5280 §4.1.2.5 has it valid for this second; libcrypto does not.
    TrustRow("ends now", "expired 0") {
      try Authorities().evaluation { $0.notAfter = TestTime.now }
    },
    TrustRow("authority not yet valid", "not-yet-valid 1") {
      try Authorities(authority: { $0.notBefore = TestTime.now + 1 }).evaluation()
    },
    TrustRow("authority expired", "expired 1") {
      try Authorities(authority: { $0.notAfter = TestTime.now - 1 }).evaluation()
    },
    TrustRow("anchor expired", "expired 2") {
      try Authorities(root: { $0.notAfter = TestTime.now - 1 }).evaluation()
    },
    TrustRow("judged before all of them", "not-yet-valid 2") {
      try Authorities().evaluation().with { $0.time = 0 }
    },
  ]

  @Test("keys and digests reach the security level", arguments: strengths)
  func strength(row: TrustRow) throws {
    let outcome = try row.make().outcome()
    #expect(outcome == row.outcome)
  }

  static let strengths =
    [
      (0, TestKey.Kind.rsa(1024), "SHA1", "trusted 3"), (1, .rsa(1024), "SHA256", "trusted 3"),
      (1, .p256, "SHA1", "weak 0"), (2, .rsa(1024), "SHA256", "weak 0"),
      (2, .rsa(2048), "SHA256", "trusted 3"), (2, .rsaPSS(2048), "SHA256", "trusted 3"),
      (2, .p256, "SHA1", "weak 0"), (2, .ed25519, "SHA256", "trusted 3"),
      (3, .rsa(2048), "SHA256", "weak 0"), (3, .p256, "SHA256", "trusted 3"),
      (4, .p256, "SHA384", "weak 0"),
    ].map { level, key, digest, outcome in
      TrustRow("level \(level), \(key), \(digest)", outcome) {
        try Authorities().evaluation {
          $0.key = key
          $0.digest = digest
        }.with { $0.options.securityLevel = Int32(level) }
      }
    } + [
      TrustRow("authority of RSA 1024", "weak 1") {
        try Authorities(authority: { $0.key = .rsa(1024) }).evaluation()
      },
      TrustRow("authority signed with SHA-1", "weak 1") {
        try Authorities(authority: { $0.digest = "SHA1" }).evaluation()
      },
      TrustRow("anchor of RSA 1024", "weak 2") {
        try Authorities(root: { $0.key = .rsa(1024) }).evaluation()
      },
      // An anchor is trusted for being one: nobody checks its own signature.
      TrustRow("anchor signed with SHA-1", "trusted 3") {
        try Authorities(root: { $0.digest = "SHA1" }).evaluation()
      },
    ]

  @Test("purposes allow a TLS server, on the leaf and up to the anchor", arguments: purposes)
  func purpose(row: TrustRow) throws {
    let outcome = try row.make().outcome()
    #expect(outcome == row.outcome)
  }

  static let purposes =
    [
      TrustRow("an anchor for clients", "trusted 3") {
        try Authorities(root: { $0.extendedKeyUsage = "clientAuth" }).evaluation()
      },
      TrustRow("a leaf for clients that is an anchor", "eku 0") {
        let leaf = try TestCertificate.selfSigned(
          .server("a.test").with { $0.extendedKeyUsage = "clientAuth" })
        return Evaluation([leaf], anchors: [leaf])
      },
    ]
    + [
      (nil, nil, "trusted 3"), ("serverAuth,clientAuth", "serverAuth", "trusted 3"),
      ("anyExtendedKeyUsage", nil, "eku 0"), ("clientAuth", nil, "eku 0"),
      ("codeSigning,emailProtection", nil, "eku 0"), ("serverAuth", "clientAuth", "eku 1"),
    ].map { (leaf: String?, authority: String?, outcome) in
      TrustRow("\(leaf ?? "none") under \(authority ?? "none")", outcome) {
        try Authorities(authority: { $0.extendedKeyUsage = authority })
          .evaluation { $0.extendedKeyUsage = leaf }
      }
    }

  @Test("authorities are allowed to issue what they issued", arguments: constraints)
  func constraint(row: TrustRow) throws {
    let outcome = try row.make().outcome()
    #expect(outcome == row.outcome)
  }

  static let constraints = [
    TrustRow("an authority that is none", "constraint 1") {
      try Authorities(authority: {
        $0.isAuthority = false
        $0.keyUsage = nil
      }).evaluation()
    },
    TrustRow("a key that may not sign certificates", "constraint 1") {
      try Authorities(authority: { $0.keyUsage = "critical,digitalSignature" }).evaluation()
    },
    TrustRow("pathLenConstraint used up", "trusted 3") {
      try Authorities(root: { $0.pathLength = 1 }, authority: { $0.pathLength = 0 }).evaluation()
    },
    TrustRow("pathLenConstraint passed", "constraint 2") {
      try Authorities(root: { $0.pathLength = 0 }).evaluation()
    },
    TrustRow("a name that is permitted", "trusted 3") {
      try Authorities(authority: {
        $0.extensions = [.init("nameConstraints", "critical,permitted;DNS:test")]
      }).evaluation()
    },
    TrustRow("a name that is not permitted", "name-constraint 0") {
      try Authorities(authority: {
        $0.extensions = [.init("nameConstraints", "critical,permitted;DNS:example")]
      }).evaluation()
    },
    TrustRow("a name that is excluded", "name-constraint 0") {
      try Authorities(authority: {
        $0.extensions = [.init("nameConstraints", "critical,excluded;DNS:test")]
      }).evaluation()
    },
    TrustRow("an excluded host that a wildcard covers", "name-constraint 0") {
      try Authorities(authority: {
        $0.extensions = [.init("nameConstraints", "critical,excluded;DNS:B.a.test")]
      }).evaluation { $0.hosts = ["*.a.test"] }.with { $0.host = "b.a.test" }
    },
    TrustRow("a host beside the excluded one", "trusted 3") {
      try Authorities(authority: {
        $0.extensions = [.init("nameConstraints", "critical,excluded;DNS:b.a.test")]
      }).evaluation { $0.hosts = ["*.a.test"] }.with { $0.host = "bb.a.test" }
    },
    TrustRow("a certificate policy that is demanded and missing", "constraint 0") {
      try Authorities(authority: {
        $0.extensions = [
          .init("2.5.29.32", "DER:3007300506032A0304"),
          .init("policyConstraints", "critical,requireExplicitPolicy:0"),
        ]
      }).evaluation()
    },
    TrustRow("a certificate policy that is demanded and there", "trusted 3") {
      try Authorities(authority: {
        $0.extensions = [
          .init("2.5.29.32", "DER:3007300506032A0304"),
          .init("policyConstraints", "critical,requireExplicitPolicy:0"),
        ]
      }).evaluation { $0.extensions = [.init("2.5.29.32", "DER:3007300506032A0304")] }
    },
    TrustRow("a critical extension that nobody knows", "critical-extension 0") {
      try Authorities().evaluation { $0.extensions = [.init("1.2.3.4", "critical,DER:0500")] }
    },
    TrustRow("an extension that nobody knows", "trusted 3") {
      try Authorities().evaluation { $0.extensions = [.init("1.2.3.4", "DER:0500")] }
    },
    TrustRow("no key identifiers", "trusted 3") {
      try Authorities().evaluation { $0.hasKeyIdentifiers = false }
    },
    TrustRow("no key identifiers, strictly", "constraint 0") {
      try Authorities().evaluation { $0.hasKeyIdentifiers = false }
        .with { $0.options.isStrict = true }
    },
    TrustRow("all that is asked for, strictly", "trusted 3") {
      try Authorities().evaluation().with { $0.options.isStrict = true }
    },
  ]

  @Test("the path is not longer than allowed", arguments: lengths)
  func length(row: TrustRow) throws {
    let outcome = try row.make().outcome()
    #expect(outcome == row.outcome)
  }

  static let lengths = [
    (nil, "trusted 3"), (1, "trusted 3"), (0, "too-long 1"), (-1, "too-long 1"),
  ]
  .map { (most: Int?, outcome) in
    TrustRow("at most \(most.map(String.init) ?? "any") between", outcome) {
      try Authorities().evaluation().with { $0.options.maximumIntermediates = most }
    }
  }
}
