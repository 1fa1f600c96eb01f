import COTPGcrypt
import OTP

/// The library as a whole.
enum GcryptLibrary {
  /// Starts the library, once per process; later calls return the first one's result.
  static func start() throws(OTPError) {
    if let error = startError { throw error }
  }

  static var version: String {
    gcry_check_version(nil).map { String(cString: $0) } ?? "unknown"
  }

  /// The features of the processor that the library uses, in its words.
  static var hardwareFeatures: String {
    guard let line = gcry_get_config(0, "hwflist") else { return "unknown" }
    defer { gcry_free(line) }
    let fields = String(cString: line).split(separator: ":").dropFirst()
    return fields.joined(separator: " ").trimmingLineEnd()
  }

  // A global is initialised exactly once, whichever thread comes first.
  private static let startError: OTPError? = {
    // This call initialises the library's own locks; it must come first, and may come again.
    guard gcry_check_version(minimumVersion) != nil else {
      return OTPError(
        .backendUnavailable, "libgcrypt is \(version), and \(minimumVersion) is needed")
    }
    if cotp_gcrypt_is_initialized() != 0 { return nil }
    let error = cotp_gcrypt_disable_secure_memory()
    guard error == 0 else {
      return OTPError(.backendUnavailable, "libgcrypt did not start: \(gcryptReason(error))")
    }
    let finishError = cotp_gcrypt_finish_initialization()
    guard finishError == 0 else {
      return OTPError(.backendUnavailable, "libgcrypt did not start: \(gcryptReason(finishError))")
    }
    return nil
  }()

  private static let minimumVersion = "1.8.0"
}

extension OTPError {
  /// The failure of a call, with the library's reason.
  static func gcrypt(_ call: StaticString, _ error: gcry_error_t) -> OTPError {
    OTPError(.backendFailure, "libgcrypt's \(call) failed: \(gcryptReason(error))")
  }
}

private func gcryptReason(_ error: gcry_error_t) -> String {
  gcry_strerror(error).map { String(cString: $0) } ?? "no reason given"
}

extension String {
  fileprivate func trimmingLineEnd() -> String {
    String(prefix { !$0.isNewline })
  }
}
