import BenchmarkRegistry
import LedgerBenchmarks
import Testing

@Suite struct RedisReferenceTests {
  // Times and steps are those of `SettleWorkload`: a step has 30 seconds.
  private let line = """
    1700000000.123456 [0 unix:/a/socket] "EVALSHA" "0ab1" "1" "otp:000000004711" "use" \
    "00000000000000003000" "00000000000000000100" "86490"
    """

  @Test func theCallIsReadFromAMonitorsLine() {
    #expect(
      CallTemplate.call(inMonitorLine: line) == [
        "EVALSHA", "0ab1", "1", "otp:000000004711", "use", "00000000000000003000",
        "00000000000000000100", "86490",
      ])
  }

  @Test(arguments: [
    "OK", "",
    #"1700000000.123456 [0 lua] "GET" "otp:000000004711""#,
    #"1700000000.123456 [0 unix:/a/socket] "INFO" "EVALSHA""#,
  ])
  func otherLinesAreNoCall(line: String) {
    #expect(CallTemplate.call(inMonitorLine: line) == nil)
  }

  @Test func onlyCredentialTimeAndStepAreExchanged() throws {
    let call = try #require(CallTemplate.call(inMonitorLine: line))
    let template = try CallTemplate(call, id: "000000004711", step: 100)
    #expect(
      template.words(step: 58_919_801) == [
        "EVALSHA", "0ab1", "1", "otp:__rand_int__", "use", "00000000001767594030",
        "00000000000058919801", "86490",
      ])
    #expect(template.words(step: 100)[5...] == call[5...])
  }

  /// A place that is not found would leave a call that does something else.
  @Test(arguments: [("000000004712", 100), ("000000004711", 101)])
  func aCallOfAnotherFormIsRefused(id: String, step: UInt64) throws {
    let call = try #require(CallTemplate.call(inMonitorLine: line))
    #expect(throws: BenchmarkFault.self) { try CallTemplate(call, id: id, step: step) }
  }

  @Test func theRateIsTheSecondColumn() throws {
    let csv = """
      "test","rps","avg_latency_ms","min_latency_ms"
      "EVALSHA 0ab1 1 otp:__rand_int__","123456.78","5.120","0.040"

      """
    #expect(try RedisReference.rate(inCSV: csv) == 123_456.78)
  }

  @Test(arguments: ["", "\"test\",\"rps\",\"avg\"\n", "\"EVALSHA\",\"0.00\",\"1\"\n"])
  func withoutARateThereIsAFault(csv: String) {
    #expect(throws: BenchmarkFault.self) { try RedisReference.rate(inCSV: csv) }
  }

  @Test func countsAreThoseOfTheCommand() {
    let text = """
      # Commandstats\r
      cmdstat_setex:calls=9,usec=9,usec_per_call=1.00,rejected_calls=9,failed_calls=9\r
      cmdstat_set:calls=31,usec=50,usec_per_call=1.61,rejected_calls=2,failed_calls=3\r

      """
    let set = CommandStatistics(of: "set", in: text)
    #expect(set.calls == 31)
    #expect(set.failures == 5)
    #expect(CommandStatistics(of: "get", in: text).calls == 0)
  }

  @Test(arguments: [
    ("unix:///a/socket", ["-s", "/a/socket"]), ("unix:///a/socket?db=0", ["-s", "/a/socket"]),
    ("redis://localhost:7000", ["-u", "redis://localhost:7000"]),
  ])
  func theServerOfRedisOwnPrograms(url: String, arguments: [String]) {
    #expect(RedisReference.serverArguments(url) == arguments)
  }
}
