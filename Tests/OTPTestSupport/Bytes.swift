public import OTP

/// The bytes of a hexadecimal literal in a test.
public func bytes(_ hex: String) -> [UInt8] {
  precondition(hex.utf8.count.isMultiple(of: 2), "an odd number of hexadecimal digits")
  var digits = hex[...]
  var bytes: [UInt8] = []
  while !digits.isEmpty {
    guard let byte = UInt8(digits.prefix(2), radix: 16) else {
      preconditionFailure("not hexadecimal")
    }
    bytes.append(byte)
    digits = digits.dropFirst(2)
  }
  return bytes
}

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
