/// The source document that `policyctl init` writes: one rule of each kind, explained in its note.
public enum StarterPolicy {
  /// JSON, indented, with a final line feed. It parses, and `sign` takes it as it stands.
  public static let text = """
    {
      "$schema": "policy.schema.json",
      "aud": "my-service",
      "pins": {
        "isrg-root-x1": "sha256/C5+lpZ7tcVwmwQIMcRtPbsQtWLABXhQzejna0wHFr8M=",
        "isrg-root-x2": "sha256/diGVwiVYbubAI3RW4hB9xU8e/CH2GnkuvVFZE8zmgzI="
      },
      "sets": {
        "lets-encrypt": ["isrg-root-x1", "isrg-root-x2"]
      },
      "hosts": {
        "api.example.com": {
          "note": "Start here: replace the host, and the pins above by yours (policyctl pin FILE prints them). The path that the host presents must end in one of these root keys: @lets-encrypt stands for both. Two keys at least, so that losing one locks nobody out. \\"aud\\" above is the one service that this policy is for: verify with --audience my-service.",
          "spki": { "anchor": ["@lets-encrypt"] }
        },
        "shop.example.com": {
          "note": "Chains list Common Names from root to leaf. Names float across renewals (R10, R11, …), but anybody who can install a root can copy them, so the anchor's key is pinned too: every kind listed must match. Remove \\"chains\\" if keys are enough for you.",
          "chains": [
            [
              { "type": "prefixWithNumber", "value": "ISRG Root X" },
              { "type": "prefixWithNumber", "value": "R" },
              { "type": "any" }
            ],
            [
              { "type": "prefixWithNumber", "value": "ISRG Root X" },
              { "type": "prefixWithNumber", "value": "E" },
              { "type": "any" }
            ]
          ],
          "spki": { "anchor": ["@lets-encrypt"] }
        },
        "example.com": {
          "note": "Governs example.com and every name below it that has no rule of its own. \\"ca\\" looks at every certificate above the leaf.",
          "includesSubdomains": true,
          "spki": { "ca": ["@lets-encrypt"] }
        },
        "legacy.example.com": {
          "note": "Not pinned although example.com's rule would reach it. Say here why, and until when.",
          "mode": "exempt"
        },
        "*": {
          "note": "Every other host, addresses too: mismatches are reported and nothing is stopped. Remove this rule to leave other hosts alone.",
          "mode": "report",
          "spki": { "any": ["@lets-encrypt"] }
        }
      },
      "lint": [
        {
          "allow": "wildcard-reaches-ip",
          "host": "*",
          "reason": "it reports and stops nothing"
        }
      ]
    }

    """
}
