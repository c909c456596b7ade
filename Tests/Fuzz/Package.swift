// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Apart from the package itself, whose users need none of it. `scripts/fuzz` builds and runs it.
let package = Package(
  name: "Fuzz",
  dependencies: [.package(name: "pin-policy", path: "../..")],
  targets: [
    // libFuzzer brings `main`: these two link under `--sanitize=fuzzer` alone.
    .executableTarget(
      name: "FuzzJSON", dependencies: [.product(name: "StrictJSON", package: "pin-policy")],
      swiftSettings: settings),
    .executableTarget(
      name: "FuzzPolicy", dependencies: [.product(name: "PinVerifier", package: "pin-policy")],
      swiftSettings: settings),
    .executableTarget(
      name: "MutatePolicies",
      dependencies: [
        .product(name: "PinVerifier", package: "pin-policy"),
        .product(name: "StrictJSON", package: "pin-policy"),
      ],
      swiftSettings: settings),
  ]
)
