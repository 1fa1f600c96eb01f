// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the C++ library and the peers never reach a user of swift-otp.
#if arch(x86_64)
  let peerLibraries = ["IPSec_MB", "oath", "crypto", "sqlite3"]
#else
  let peerLibraries = ["oath", "crypto", "sqlite3"]
#endif

// To see whether a comparison finds it: bulk verification does this much more work, in percent, in the time that is
// measured.
let slowdown = Context.environment["OTP_BENCH_SLOWDOWN"].map {
  CXXSetting.define("CBENCH_SLOWDOWN_PERCENT", to: $0)
}

let package = Package(
  name: "swift-otp-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "swift-otp", path: "..")],
  targets: [
    .target(
      name: "CGoogleBenchmark", cxxSettings: slowdown.map { [$0] } ?? [],
      linkerSettings: [.linkedLibrary("benchmark")]),
    .target(name: "BenchmarkRegistry", dependencies: ["CCallgrind"]),
    .target(
      name: "BackendBenchmarks",
      dependencies: [
        "BenchmarkRegistry", "CGoogleBenchmark", "CPeers",
        .product(name: "OTP", package: "swift-otp"),
        .product(name: "OTPOpenSSL", package: "swift-otp"),
        .product(name: "OTPGcrypt", package: "swift-otp"),
        .product(name: "OTPMultiBuffer", package: "swift-otp"),
        .product(name: "OTPVerification", package: "swift-otp"),
      ],
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    .target(
      name: "LedgerBenchmarks",
      dependencies: [
        "BenchmarkRegistry", "CPeers",
        .product(name: "OTP", package: "swift-otp"),
        .product(name: "OTPOpenSSL", package: "swift-otp"),
        .product(name: "OTPVerification", package: "swift-otp"),
        .product(name: "OTPSQLite", package: "swift-otp"),
        .product(name: "OTPRedis", package: "swift-otp"),
        .product(name: "OTPPostgreSQL", package: "swift-otp"),
      ],
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    .target(name: "CCallgrind"),
    .target(
      name: "Instructions",
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    // Only for programs that are counted: it replaces their C allocator.
    .target(name: "CCountedHeap"),
    .target(
      name: "CountedRun",
      dependencies: ["BenchmarkRegistry", "CCallgrind", "CCountedHeap", "Instructions"],
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    .executableTarget(
      name: "otp-bench-count",
      dependencies: ["BackendBenchmarks", "BenchmarkRegistry", "CountedRun"]),
    .target(
      name: "BenchmarkResults",
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    .target(name: "Statistics"),
    .target(
      name: "RunComparison", dependencies: ["BenchmarkResults", "Statistics"],
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    .target(
      name: "BenchmarkReport", dependencies: ["BenchmarkResults", "RunComparison", "Statistics"],
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    .target(name: "BackendChoice", dependencies: ["Statistics"]),
    .target(name: "CPeers", linkerSettings: peerLibraries.map { .linkedLibrary($0) }),
    .executableTarget(
      name: "otp-bench",
      dependencies: [
        "BackendBenchmarks", "BackendChoice", "BenchmarkRegistry", "BenchmarkReport",
        "BenchmarkResults", "CGoogleBenchmark", "Instructions", "LedgerBenchmarks",
        "RunComparison", "Statistics",
        .product(name: "OTP", package: "swift-otp"),
        .product(name: "OTPVerification", package: "swift-otp"),
      ],
      plugins: ["BuiltCommit"]),
    .plugin(name: "BuiltCommit", capability: .buildTool),
    .testTarget(
      name: "RunComparisonTests",
      dependencies: ["BenchmarkResults", "BenchmarkTestSupport", "RunComparison"]),
    // What the tests of counting count. They do not depend on it, since its allocator is not for them.
    .target(name: "CKnownWork", path: "Tests/CKnownWork"),
    .executableTarget(
      name: "CountedProgram", dependencies: ["BenchmarkRegistry", "CKnownWork", "CountedRun"],
      path: "Tests/CountedProgram"),
    .testTarget(name: "InstructionsTests", dependencies: ["Instructions"]),
    .testTarget(name: "BackendChoiceTests", dependencies: ["BackendChoice", "BenchmarkRegistry"]),
    .target(
      name: "BenchmarkTestSupport", path: "Tests/BenchmarkTestSupport",
      swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")]),
    .testTarget(
      name: "BackendBenchmarksTests",
      dependencies: [
        "BackendBenchmarks", "BenchmarkRegistry", "BenchmarkTestSupport",
        .product(name: "OTP", package: "swift-otp"),
        .product(name: "OTPMultiBuffer", package: "swift-otp"),
      ]),
    .testTarget(
      name: "OTPBenchTests",
      dependencies: ["BenchmarkResults", "BenchmarkTestSupport", "RunComparison", "otp-bench"]),
    .testTarget(name: "StatisticsTests", dependencies: ["Statistics"]),
    .testTarget(
      name: "BenchmarkReportTests",
      dependencies: [
        "BenchmarkReport", "BenchmarkResults", "BenchmarkTestSupport", "RunComparison",
      ]),
    .testTarget(name: "BenchmarkResultsTests", dependencies: ["BenchmarkResults"]),
    .testTarget(
      name: "BenchmarkRegistryTests", dependencies: ["BenchmarkRegistry", "BenchmarkTestSupport"]),
    .testTarget(
      name: "LedgerBenchmarksTests",
      dependencies: [
        "BenchmarkRegistry", "BenchmarkTestSupport", "LedgerBenchmarks",
        .product(name: "OTP", package: "swift-otp"),
        .product(name: "OTPVerification", package: "swift-otp"),
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
