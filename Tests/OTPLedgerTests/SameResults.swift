import OTP
import OTPVerification

/// Whether two attempts came to the same end: messages of errors aside.
func isSame(_ one: Result<Verdict, OTPError>, _ other: Result<Verdict, OTPError>) -> Bool {
  switch (one, other) {
  case (.success(let one), .success(let other)): one == other
  case (.failure(let one), .failure(let other)): one.code == other.code
  default: false
  }
}
