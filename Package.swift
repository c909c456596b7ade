// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// For tests, which may use Foundation and C without memory-safety marks.
let testSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let settings = testSettings + [.strictMemorySafety()]

/// Where the C++ runtime below Swift's own is there as an archive (libstdc++-12-dev has it), it is
/// linked in, and libgcc too: two shared libraries less to load, a fifth of policyctl's start.
let linking: [LinkerSetting] =
  ["/usr/lib/gcc/x86_64-linux-gnu/12/libstdc++.a", "/usr/lib/gcc/aarch64-linux-gnu/12/libstdc++.a"]
    .contains(where: FileManager.default.fileExists(atPath:))
  ? [
    .unsafeFlags(
      [
        "-L\(Context.packageDirectory)/Sources/policyctl/Link", "-Xclang-linker", "-static-libgcc",
      ], .when(platforms: [.linux], configuration: .release))
  ] : []

let package = Package(
  name: "pin-policy",
  products: [
    .library(name: "PinVerifier", targets: ["PinVerifier", "PinCrypto", "PinPolicy"]),
    .library(name: "PinTLS", targets: ["PinTLS"]),
    .library(name: "PolicyAuthoring", targets: ["PolicyAuthoring"]),
    .library(name: "StrictJSON", targets: ["StrictJSON"]),
    .executable(name: "policyctl", targets: ["policyctl"]),
  ],
  targets: [
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "COpenSSLTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
    // Without pkgConfig, which would link it: PolicyAuthoring loads it when a name needs it.
    .systemLibrary(name: "CIDN2", providers: [.apt(["libidn2-dev"])]),
    // Without pkgConfig, as CIDN2: PinProbe loads it when a server is asked.
    .systemLibrary(name: "CLibSSL", providers: [.apt(["libssl-dev"])]),

    .target(name: "StrictJSON", swiftSettings: settings),
    .target(name: "PinPolicy", dependencies: ["StrictJSON"], swiftSettings: settings),
    .target(
      name: "PinCrypto", dependencies: ["COpenSSL", "PinPolicy", "StrictJSON"],
      swiftSettings: settings),
    .target(
      name: "PinVerifier", dependencies: ["PinCrypto", "PinPolicy", "StrictJSON"],
      swiftSettings: settings),
    .target(
      name: "PinTLS", dependencies: ["COpenSSLTLS", "PinVerifier", "PinCrypto", "PinPolicy"],
      swiftSettings: settings),
    .target(
      name: "PinProbe", dependencies: ["CLibSSL", "PinCrypto", "PinPolicy", "StrictJSON"],
      swiftSettings: settings),
    .target(
      name: "PolicyAuthoring", dependencies: ["CIDN2", "PinPolicy", "StrictJSON"],
      swiftSettings: settings),
    .executableTarget(
      name: "policyctl",
      dependencies: [
        "PinProbe", "PinVerifier", "PinCrypto", "PinPolicy", "PolicyAuthoring", "StrictJSON",
      ],
      exclude: ["Link"], swiftSettings: settings, linkerSettings: linking),

    .target(
      name: "TestSupport", path: "Tests/TestSupport", swiftSettings: testSettings),
    // Certificates, keys and servers made by tests, which share no code with what they test.
    .target(
      name: "LoopbackTLS", dependencies: ["COpenSSLTLS"], path: "Tests/LoopbackTLS",
      swiftSettings: testSettings),
    .testTarget(
      name: "StrictJSONTests", dependencies: ["StrictJSON", "TestSupport"],
      swiftSettings: testSettings),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    .testTarget(
      name: "PinPolicyTests",
      dependencies: ["CAllocationCount", "PinPolicy", "StrictJSON", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "PinCryptoTests",
      dependencies: ["PinCrypto", "PinPolicy", "StrictJSON", "LoopbackTLS", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "PinVerifierTests",
      dependencies: ["PinVerifier", "PinCrypto", "PinPolicy", "StrictJSON", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "PinTLSTests",
      dependencies: [
        "PinTLS", "COpenSSLTLS", "PinVerifier", "PinCrypto", "PinPolicy", "StrictJSON",
        "LoopbackTLS", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "PinProbeTests",
      dependencies: [
        "PinProbe", "PinCrypto", "PinPolicy", "StrictJSON", "LoopbackTLS", "TestSupport",
      ],
      swiftSettings: testSettings),
    .testTarget(
      name: "PolicyAuthoringTests",
      dependencies: ["PolicyAuthoring", "PinCrypto", "PinPolicy", "StrictJSON", "TestSupport"],
      swiftSettings: testSettings),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "policyctl", "PinCrypto", "PinPolicy", "StrictJSON", "LoopbackTLS", "TestSupport",
      ],
      exclude: ["Fixtures", "Transcripts"], swiftSettings: testSettings),
    .testTarget(
      name: "InteropTests", dependencies: ["policyctl", "StrictJSON", "TestSupport"],
      path: "Tests/Interop",
      exclude: ["JavaPeer.java", "cnpinning_client.py", "pyjwt_peer.py"],
      swiftSettings: testSettings),
  ]
)
