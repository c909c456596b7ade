// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "tls-client",
  dependencies: [.package(name: "pin-policy", path: "../..")],
  targets: [
    .systemLibrary(name: "CTLS", pkgConfig: "libssl", providers: [.apt(["libssl-dev"])]),
    .executableTarget(
      name: "tls-client",
      dependencies: [
        "CTLS", .product(name: "PinVerifier", package: "pin-policy"),
        .product(name: "PinTLS", package: "pin-policy"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ]
)
