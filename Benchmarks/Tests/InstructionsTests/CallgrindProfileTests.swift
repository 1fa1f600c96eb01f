import Instructions
import Testing

@Suite struct CallgrindProfileTests {
  private let text = """
    # callgrind format
    version: 1
    positions: line
    events: Ir
    summary: 0

    fn=a
    0 10
    cfn=malloc
    calls=2 17
    0 60
    3 5

    ob=lib
    fn=malloc
    17 60
    cfn=b'2
    calls=1 0
    0 7

    fn=b'2
    0 7
    cfn=realloc
    calls=3 0
    0 9
    fn=realloc
    0 9
    cfn=__libc_malloc
    calls=4 0
    0 100

    totals: 91

    """

  @Test func instructionsAndCallsAreRead() throws {
    let profile = try CallgrindProfile(text)
    #expect(profile.instructions == 91)
    #expect(profile.own == ["a": 15, "malloc": 60, "b": 7, "realloc": 9])
    let call = try #require(profile.calls[.init(caller: "a", callee: "malloc")])
    #expect(call.count == 2)
    #expect(call.instructions == 60)
  }

  @Test func whatIsCutOffIsRefused() {
    let end = text.range(of: "totals")?.lowerBound ?? text.endIndex
    #expect(throws: InstructionsFault("callgrind's output is cut off")) {
      try CallgrindProfile(String(text[..<end]))
    }
  }

  @Test func whatDoesNotAddUpIsRefused() {
    #expect(throws: InstructionsFault("callgrind's output has 90 instructions of 91")) {
      try CallgrindProfile(text.replacing("3 5", with: "3 4"))
    }
  }

  @Test(arguments: ["0 x", "0", "calls=x 0"])
  func aLineOfAnotherFormatIsNamed(line: String) {
    #expect(
      throws: InstructionsFault("callgrind's output has a line that is none of its format: \(line)")
    ) {
      try CallgrindProfile(text + line + "\n")
    }
  }
}
