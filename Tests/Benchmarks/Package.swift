// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "pin-policy", path: "../..")],
  targets: [
    .target(name: "CBaseline", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "CBaseline", .product(name: "PinVerifier", package: "pin-policy"),
        .product(name: "PinTLS", package: "pin-policy"),
        .product(name: "StrictJSON", package: "pin-policy"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
      ]),
  ]
)
