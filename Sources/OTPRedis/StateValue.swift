import OTPVerification

/// Reads what ``SettleScript`` stores of a credential.
extension CredentialState {
  /// - Returns: nil for a value that the script did not write.
  init?(value: UnsafeBufferPointer<UInt8>) {
    self.init()
    guard value.count >= 32 else { return nil }
    let fields = value[31...].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard fields.count == 1 || fields.count == 4 else { return nil }
    guard fields.allSatisfy({ decimal($0) != nil }) else { return nil }

    if !value[..<20].allSatisfy({ $0 == UInt8(ascii: "-") }) {
      guard let step = decimal(value[..<20]) else { return nil }
      lastStep = step
    }
    guard let magnitude = decimal(value[21..<31]).flatMap(Int64.init(exactly:)) else { return nil }
    switch value[20] {
    case UInt8(ascii: "+"): drift = Int32(clamping: magnitude)
    case UInt8(ascii: "-"): drift = Int32(clamping: -magnitude)
    default: return nil
    }
    if fields.count == 4 {
      guard let failures = decimal(fields[1]).flatMap(UInt32.init(exactly:)),
        let lockedUntil = decimal(fields[2]).flatMap(Int64.init(exactly:))
      else { return nil }
      self.failures = failures
      self.lockedUntil = lockedUntil
    }
  }
}

/// The number that plain digits, at least one, stand for.
func decimal(_ digits: some Collection<UInt8>) -> UInt64? {
  if digits.isEmpty { return nil }
  var value: UInt64 = 0
  for byte in digits {
    let digit = byte &- UInt8(ascii: "0")
    let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
    guard digit < 10, !overflow, !carry else { return nil }
    value = sum
  }
  return value
}
