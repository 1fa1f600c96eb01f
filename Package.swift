// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "swift-otp",
  // `OTP` needs only the standard library; the C backends need `Mutex` (macOS 15).
  platforms: [.macOS(.v15), .iOS(.v14)],
  products: [
    .library(name: "OTP", targets: ["OTP"]),
    .library(name: "OTPOpenSSL", targets: ["OTPOpenSSL"]),
    .library(name: "OTPGcrypt", targets: ["OTPGcrypt"]),
    .library(name: "OTPMultiBuffer", targets: ["OTPMultiBuffer"]),
    .library(name: "OTPVerification", targets: ["OTPVerification"]),
    .library(name: "OTPSQLite", targets: ["OTPSQLite"]),
    .library(name: "OTPEvidence", targets: ["OTPEvidence"]),
    .library(name: "OTPPostgreSQL", targets: ["OTPPostgreSQL"]),
    .library(name: "OTPRedis", targets: ["OTPRedis"]),
    .executable(name: "otp", targets: ["OTPTool"]),
  ],
  targets: [
    .target(name: "OTP"),

    .systemLibrary(
      name: "COTPOpenSSL", path: "CShims/COTPOpenSSL", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    .target(name: "OTPOpenSSL", dependencies: ["OTP", "COTPOpenSSL"]),

    .systemLibrary(
      name: "COTPGcrypt", path: "CShims/COTPGcrypt", pkgConfig: "libgcrypt",
      providers: [.apt(["libgcrypt20-dev"]), .brew(["libgcrypt"])]),
    .target(name: "OTPGcrypt", dependencies: ["OTP", "COTPGcrypt"]),

    .target(name: "COTPKernels", path: "CShims/COTPKernels"),
    .target(name: "OTPMultiBuffer", dependencies: ["OTP", "COTPKernels"]),

    .target(name: "OTPVerification", dependencies: ["OTP"]),

    .systemLibrary(
      name: "COTPSQLite", path: "CShims/COTPSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "OTPSQLite", dependencies: ["OTP", "OTPVerification", "COTPSQLite"]),

    .systemLibrary(
      name: "COTPLibpq", path: "CShims/COTPLibpq", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(name: "OTPPostgreSQL", dependencies: ["OTP", "OTPVerification", "COTPLibpq"]),

    // Without pkgConfig: hiredis' file has a definition that is refused with a warning, and is not needed.
    .systemLibrary(
      name: "COTPHiredis", path: "CShims/COTPHiredis",
      providers: [.apt(["libhiredis-dev"]), .brew(["hiredis"])]),
    .target(name: "OTPRedis", dependencies: ["OTP", "OTPVerification", "COTPHiredis"]),

    .target(name: "OTPEvidence", dependencies: ["OTP", "OTPVerification"]),

    .systemLibrary(name: "COTPGetopt", path: "CShims/COTPGetopt"),
    // The folder is not named after the command: `otp` and `OTP` are one folder on a file
    // system that ignores case.
    .executableTarget(
      name: "OTPTool",
      dependencies: [
        "OTP", "OTPOpenSSL", "OTPGcrypt", "OTPMultiBuffer", "OTPVerification", "OTPSQLite",
        "OTPRedis", "OTPPostgreSQL", "OTPEvidence", "COTPGetopt",
      ]),

    .target(
      name: "OTPTestSupport", dependencies: ["OTP", "OTPEvidence"], path: "Tests/OTPTestSupport"),
    .testTarget(name: "OTPTests", dependencies: ["OTP", "OTPTestSupport"]),
    .testTarget(
      name: "OTPBackendTests",
      dependencies: [
        "OTP", "OTPOpenSSL", "OTPGcrypt", "COTPGcrypt", "OTPMultiBuffer", "COTPKernels",
        "OTPTestSupport",
      ]),
    .testTarget(
      name: "OTPVerificationTests", dependencies: ["OTP", "OTPVerification", "OTPTestSupport"]),
    .testTarget(
      name: "OTPEvidenceTests",
      dependencies: ["OTP", "OTPVerification", "OTPEvidence", "OTPTestSupport"]),
    .testTarget(
      name: "OTPLedgerTests",
      dependencies: [
        "OTP", "OTPVerification", "OTPSQLite", "COTPSQLite", "OTPPostgreSQL", "OTPRedis",
        "OTPTestSupport",
      ]),
    .testTarget(
      name: "OTPToolTests",
      dependencies: [
        "OTPTool", "OTP", "OTPMultiBuffer", "OTPOpenSSL", "OTPSQLite", "OTPVerification",
        "OTPTestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
