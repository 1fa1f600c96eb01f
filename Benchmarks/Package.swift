// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the C++ library and the peers never reach a user of swift-otp.
#if arch(x86_64)
  let peerLibraries = ["IPSec_MB", "oath", "crypto"]
#else
  let peerLibraries = ["oath", "crypto"]
#endif

let package = Package(
  name: "swift-otp-benchmarks",
  dependencies: [.package(name: "swift-otp", path: "..")],
  targets: [
    .target(name: "CGoogleBenchmark", linkerSettings: [.linkedLibrary("benchmark")]),
    .target(name: "CPeers", linkerSettings: peerLibraries.map { .linkedLibrary($0) }),
    .executableTarget(
      name: "otp-bench",
      dependencies: [
        "CGoogleBenchmark",
        .product(name: "OTP", package: "swift-otp"),
        .product(name: "OTPOpenSSL", package: "swift-otp"),
        .product(name: "OTPGcrypt", package: "swift-otp"),
        .product(name: "OTPVerification", package: "swift-otp"),
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
