import OTP
import Testing

/// A text, how it is decoded, and the bytes or the error that must come of it.
struct Base32Case: Sendable, CustomTestStringConvertible {
  let id: String
  let mode: Base32.Mode
  let text: String
  let hex: String?
  let errors: [OTPError.Code]

  init(
    _ id: String, _ mode: Base32.Mode, _ text: String, hex: String? = nil,
    errors: OTPError.Code...
  ) {
    self.id = id
    self.mode = mode
    self.text = text
    self.hex = hex
    self.errors = errors
  }

  var testDescription: String { "\(id) \(mode)" }
}

let base32Cases: [Base32Case] = [
  Base32Case(
    "b32-unpadded-26-lower", .lenient, "5wj7bv37fatz2d2w346dwbxjum",
    hex: "ed93f0d77f28279d0f56df3c3b06e9a3"),
  Base32Case("b32-noncanonical-strict/0", .strict, "MZXW6YQ=", hex: "666f6f62"),
  Base32Case("b32-noncanonical-strict/1", .strict, "MZXW6YR=", errors: .nonCanonical),
  Base32Case("b32-noncanonical-strict/2", .lenient, "MZXW6YR=", hex: "666f6f62"),
  Base32Case("b32-noncanonical-strict/3", .lenient, "MZ", hex: "66"),
  Base32Case("b32-noncanonical-strict/4", .lenient, "M7", hex: "67"),
  Base32Case("b32-noncanonical-strict/5", .strict, "M7======", errors: .nonCanonical),
  Base32Case(
    "b32-52-amazon", .lenient, "D5SYV2UX6QV4EELK5355Z6QRCVYUW6WEZXXULS6UIZOEFJ6POQPA",
    hex: "1f658aea97f42bc2116aeefbdcfa1115714b7ac4cdef45cbd4465c42a7cf741e"),
  Base32Case("b32-impossible-lengths/0", .lenient, "A", errors: .invalidLength),
  Base32Case("b32-impossible-lengths/1", .lenient, "ABC", errors: .invalidLength),
  Base32Case("b32-impossible-lengths/2", .lenient, "SECRET", errors: .invalidLength),
  Base32Case("b32-impossible-lengths/3", .lenient, "JBSWY3DPEHPK3PXPA", errors: .invalidLength),
  Base32Case("b32-impossible-lengths/4", .lenient, "JBSWY3DPEHPK3PXPAAA", errors: .invalidLength),
  Base32Case(
    "b32-impossible-lengths/5", .lenient, "JBSWY3DPEHPK3PXPAAAAAA", errors: .invalidLength),
  Base32Case(
    "b32-padding-forms/0", .strict, "5WJ7BV37FATZ2D2W346DWBXJUM======",
    hex: "ed93f0d77f28279d0f56df3c3b06e9a3"),
  Base32Case(
    "b32-padding-forms/1", .lenient, "5WJ7BV37FATZ2D2W346DWBXJUM======",
    hex: "ed93f0d77f28279d0f56df3c3b06e9a3"),
  Base32Case("b32-padding-forms/2", .strict, "5WJ7BV37FATZ2D2W346DWBXJUM", errors: .invalidPadding),
  Base32Case("b32-padding-forms/3", .strict, "MZXW6=", errors: .invalidPadding),
  Base32Case("b32-padding-forms/4", .lenient, "MZXW6=", hex: "666f6f", errors: .invalidPadding),
  Base32Case("b32-padding-forms/5", .strict, "JBSWY3DPEHPK3PXP========", errors: .invalidPadding),
  Base32Case("b32-padding-forms/6", .lenient, "MZ==W6==", errors: .invalidPadding),
  Base32Case("b32-padding-forms/7", .lenient, "=MZXW6==", errors: .invalidPadding),
  Base32Case("b32-padding-forms/8", .lenient, "========", errors: .invalidPadding, .empty),
  Base32Case("b32-padding-forms/9", .lenient, "AA======", hex: "00"),
  Base32Case("b32-0-1-8-9/0", .lenient, "JBSWY3DPEHPK3PX0", errors: .invalidCharacter),
  Base32Case("b32-0-1-8-9/1", .lenient, "JBSWY3DPEHPK3PX1", errors: .invalidCharacter),
  Base32Case("b32-0-1-8-9/2", .lenient, "JBSWY3DPEHPK3PX8", errors: .invalidCharacter),
  Base32Case("b32-0-1-8-9/3", .lenient, "JBSWY3DPEHPK3PX9", errors: .invalidCharacter),
  Base32Case("b32-0-1-8-9/4", .lenient, "1234", errors: .invalidCharacter),
  Base32Case("b32-0-1-8-9/5", .lenient, "JBSWY3DP!HPK3PXP", errors: .invalidCharacter),
  Base32Case("b32-0-1-8-9/6", .lenient, "JBSWY3DP_HPK3PXP", errors: .invalidCharacter),
  Base32Case("b32-0-1-8-9/7", .lenient, "JBSWY3DP.HPK3PXP", errors: .invalidCharacter),
  Base32Case("b32-empty/0", .lenient, "", errors: .empty),
  Base32Case("b32-empty/1", .lenient, " ", errors: .empty),
  Base32Case("b32-empty/2", .lenient, " - \u{A}", errors: .empty),
]

/// A key in lower case without padding, and one of 52 characters, with the code at a time.
let base32CodeCases: [(id: String, text: String, time: Int64, code: String)] = [
  ("b32-unpadded-26-lower", "5wj7bv37fatz2d2w346dwbxjum", 1500000000, "918408"),
  ("b32-52-amazon", "D5SYV2UX6QV4EELK5355Z6QRCVYUW6WEZXXULS6UIZOEFJ6POQPA", 1528300800, "773725"),
]

let base32EncodeCases: [(hex: String, padding: Bool, text: String)] = [
  ("66", false, "MY"),
  ("666f", false, "MZXQ"),
  ("666f6f", false, "MZXW6"),
  ("666f6f62", false, "MZXW6YQ"),
  ("666f6f6261", false, "MZXW6YTB"),
  ("666f6f626172", false, "MZXW6YTBOI"),
  ("666f6f626172", true, "MZXW6YTBOI======"),
  ("", false, ""),
  ("48656c6c6f21deadbeef", false, "JBSWY3DPEHPK3PXP"),
  ("ffffffffffffffffffffffffffffffffffffffff", false, "77777777777777777777777777777777"),
  ("0000000000000000000000000000000000000000", false, "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
]
