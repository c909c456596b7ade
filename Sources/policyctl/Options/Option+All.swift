import PinCrypto
import PinPolicy
import PinProbe

/// Every option of every verb.
extension Option {
  // MARK: Everywhere

  static let json = Option("json", "results as JSON, one document or one a line")
  static let quiet = Option("quiet", short: "q", "only results and errors, no notes or warnings")
  static let help = Option("help", short: "h", "this help")

  // MARK: Whom to trust

  static let trustedKey = Option(
    "key", short: "k", .file("PUB"), repeatable: true,
    "a public key that may have signed: PEM, DER, JWK or JWKS")
  static let trustedAlgorithm = Option(
    "alg", .choice("ALG", Words.algorithms), repeatable: true,
    "an algorithm that the keys may be used with; without it whatever a key can do, all six of RSA"
  )
  static let audience = Option(
    "audience", .audience("AUDIENCE"), "whom the policy must be for; without it anyone")
  static let acceptedProfile = Option(
    "profile", .choice("PROFILE", Words.profiles), repeatable: true,
    "a profile that is accepted, standard or cnpinning; without it both")
  static let ecdsa = Option(
    "ecdsa", .choice("FORM", Words.ecdsaForms),
    "how ECDSA signatures are written: der (the default) or jose (RFC 7518)")
  static let allowDemoKey = Option(
    "allow-demo-key", "take the demo keys, whose private halves everybody knows")

  // MARK: When

  static let at = Option("at", .time, "the time to go by instead of the clock")
  static let skew = Option(
    "skew", .seconds(most: 300), "how far iat may lie ahead of the clock, at most 300")
  static let ignoreWindow = Option(
    "ignore-window", "answer also when the policy is not in force, and say so")

  // MARK: Whom to trust with servers

  static let anchors = Option(
    "anchors", .file("FILE"),
    "trust these certificates beside the system's roots (check's option trusts its files alone)")
  static let onlyAnchors = Option(
    "anchors-only", .file("FILE"), "trust these certificates and no others")
  static let trustStores = Option(
    "anchors", .text("NAME=FILE"), repeatable: true,
    "judge by a trust store of these certificates alone, unlike evaluate and discover, and side by "
      + "side with others; the word system stands for the system's roots, which are used without "
      + "this option")
  static let revocationLists = Option(
    "crl", .file("FILE"), repeatable: true, "a revocation list of the server certificates' issuer")
  static let revocationScope = Option(
    "crl-scope", .choice("SCOPE", Words.revocationScopes),
    "what is looked up in the lists: leaf (the default), or chain for the authorities too")
  static let chain = Option(
    "chain", .file("FILE"),
    "the server's certificates: PEM, its own first, one in DER, or PKCS#12")
  static let live = Option("live", "ask the server for its certificates")
  static let asIf = Option(
    "as-if", .choice("MODE", ["enforce"]), "enforce: judge rules that report as if they enforced")
  static let allowUnpinned = Option(
    "allow-unpinned", "a host that no rule governs is well, too")
  static let warnWithin = Option(
    "warn-within", .duration, "warn of certificates that expire sooner than this (14d)")
  static let extraHost = Option(
    "host", .text("HOST[:PORT]"), repeatable: true,
    "check this host too: a name below a rule that includes subdomains, or one that only * governs")
  static let atOnce = Option(
    "jobs", short: "j", .count(most: 512), "how many servers are asked at once (32)")
  static let junit = Option(
    "junit", .file("FILE"), "write the results as JUnit XML, too; - in place of the table")
  static let format = Option(
    "format", .choice("FORMAT", Words.discoveryFormats),
    "text (the default), names, pins, policy (a rule to paste), cnpinning-plist")
  static let includesSubdomains = Option(
    "includes-subdomains", "propose a rule for every name below the host, too")

  // MARK: How to reach servers

  static let connect = Option(
    "connect", .text("[HOST=]ADDR:PORT"), repeatable: true,
    "connect there, for this host or for all, in place of looking the name up")
  static let startTLS = Option(
    "starttls", .choice("PROTOCOL", Words.startTLS), "begin in clear text, and go over to TLS")
  static let proxy = Option("proxy", .text("HOST:PORT"), "an HTTP proxy that is asked to CONNECT")
  static let timeout = Option("timeout", .duration, "the most that a server may take (10s)")
  static let protocols = Option(
    "alpn", .text("LIST"), "the protocols that ALPN offers (h2,http/1.1), or none")
  static let clientCertificate = Option(
    "client-cert", .file("FILE"), "a certificate to show to servers that ask: PKCS#12, or PEM")
  static let clientKey = Option(
    "client-key", .file("FILE"), "its private key, where it is not in the same file")

  // MARK: What to verify

  static let newerThan = Option(
    "newer-than", .file("OLD"), "a signed policy that this one must be newer than")
  static let minRemaining = Option(
    "min-remaining", .duration, "refuse a policy that expires sooner than this")
  static let maxLifetime = Option(
    "max-lifetime", .duration, "refuse a policy that is in force for longer than this")
  static let maxBytes = Option(
    "max-bytes", .count(most: 1 << 30),
    "the most bytes of a signed policy (4194304), at most 1073741824")
  static let maxHosts = Option(
    "max-hosts", .count(most: Int64(UInt32.max)), "the most hosts of a policy (10000)")
  static let unverified = Option(
    "unverified", "take a signed policy without checking it, and say so on every screen")

  // MARK: How to sign

  static let signingKey = Option(
    "key", short: "k", .file("KEY"), "the private key: PEM, DER, JWK or PKCS#12")
  static let signingAlgorithm = Option(
    "alg", .choice("ALG", Words.algorithms),
    "without it the key's own; of an RSA key PS256, in profile cnpinning RS256")
  static let signingProfile = Option(
    "profile", .choice("PROFILE", Words.profiles),
    "standard (the default), or cnpinning for mobile apps with CNPinning")
  static let validFor = Option("valid-for", .duration, "how long the policy is in force from iat")
  static let expiry = Option("exp", .time, "when the policy expires")
  static let issuedAt = Option(
    "iat", .time, "when the policy comes into force; without it a minute ago")
  static let replacing = Option(
    "newer-than", .file("OLD"), "the signed policy to be replaced: iat is after its iat")
  static let oldKey = Option(
    "old-key", .file("PUB"), repeatable: true, "the key that signed OLD, where it is another one")
  static let allow = Option(
    "allow", .choice("CODE", Words.lintCodes + ["all"]), repeatable: true,
    "sign in spite of this finding of lint, or of all; only what makes a policy invalid is looked for "
      + "yet, and that can't be allowed")
  static let keepNotes = Option("keep-notes", "keep the notes, which clients then receive")
  static let algorithmCase = Option(
    "alg-case", .choice("CASE", Words.algorithmCases),
    "how alg is spelt in profile cnpinning: lower (the default; CNPinning-Apple 1.2 crashes on the other) or upper"
  )
  static let output = Option(
    "output", short: "o", .file("FILE"), "where to; without it standard output")

  // MARK: Keys

  static let newKeyAlgorithm = Option(
    "alg", .choice("ALG", Words.algorithms), "what the key is for; ES256 without it")
  static let keyOutput = Option("output", short: "o", .file("FILE"), "where the private key goes")
  static let publicOutput = Option(
    "public-out", .file("FILE"), "where the public key goes, as PEM")
  static let convertTo = Option(
    "to", .choice("FORM", ["pem", "der", "jwk"]), "PKCS#8 or SPKI as pem or der, or a jwk")
  static let publicHalf = Option("public", "write the public half of a private key")
  static let passphraseFile = Option(
    "passphrase-file", .file("FILE"), "take the passphrase from the first line of a file")
  static let passphraseVariable = Option(
    "passphrase-env", .text("NAME"), "take the passphrase from an environment variable")
  static let newPassphraseFile = Option(
    "new-passphrase-file", .file("FILE"), "another passphrase for what is written")
  static let newPassphraseVariable = Option(
    "new-passphrase-env", .text("NAME"), "another passphrase for what is written")
  static let noPassphrase = Option("no-passphrase", "write the private key unencrypted")
  static let force = Option("force", "replace a file that is there already")
}

/// The words that options with a choice take.
enum Words {
  static let algorithms = SignatureAlgorithm.allCases.map(\.rawValue)
  static let profiles = Profile.allCases.map(\.rawValue)
  static let ecdsaForms = [ECDSAEncoding.der, .jose].map(\.rawValue)
  static let revocationScopes = ["leaf", "chain"]
  static let discoveryFormats = ["text", "names", "pins", "policy", "cnpinning-plist"]
  static let startTLS = StartTLS.allCases.map(\.rawValue)
  static let algorithmCases = ["lower", "upper"]
  /// The findings of lint: errors, then warnings.
  static let lintCodes = [
    "no-backup-pin", "cn-only", "short-prefix", "any-name", "public-suffix", "no-hosts", "expired",
    "denied-and-pinned", "weak-signing-key",
    "leaf-only", "exact-ca-name", "unanchored-suffix", "single-label", "ip-host",
    "unreachable-chain", "duplicate-chain", "duplicate-pin", "unused-name", "long-lifetime",
    "short-lifetime", "refresh-too-slow", "iat-in-future", "wildcard-only", "wildcard-reaches-ip",
    "weaker-than-parent", "exempt-includes-subdomains", "report-everywhere",
  ]
}
