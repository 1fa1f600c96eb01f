public import OTP

extension Secret {
  /// A copy of the key's bytes, for comparisons in tests.
  public var bytes: [UInt8] {
    withBytes { span in span.indices.map { span[$0] } }
  }
}

/// The code of the error that `body` throws, or nil when it throws none.
public func errorCode<R>(_ body: () throws -> R) -> OTPError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? OTPError)?.code
  }
}
