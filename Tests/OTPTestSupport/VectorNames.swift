@_exported import OTPEvidence
import Testing

// What the vectors are called in a test report.

extension HMACVector: CustomTestStringConvertible {
  public var testDescription: String { "\(id) \(algorithm)" }
}

extension HOTPVector: CustomTestStringConvertible {
  public var testDescription: String { "\(id) counter \(counter), \(code.count) digits" }
}

extension TOTPVector: CustomTestStringConvertible {
  public var testDescription: String { "RFC 6238 \(algorithm) at \(time.seconds)" }
}
