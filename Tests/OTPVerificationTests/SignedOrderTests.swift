import OTPVerification
import Testing

@Suite struct SignedOrderTests {
  @Test func keepsTheOrder() {
    for (unsigned, signed) in [
      (0, .min), (1, .min + 1), (1 << 63 - 1, -1), (1 << 63, 0), (1 << 63 + 1, 1), (.max, .max),
    ] as [(UInt64, Int64)] {
      #expect(unsigned.signedOrder == signed)
      #expect(UInt64(signedOrder: signed) == unsigned)
    }
  }
}
