import Testing

@Suite struct CheckCommandTests {
  private let options = ["--key-file", "-", "--key-format", "raw", "--digits", "8"]
  private let key = "12345678901234567890"

  @Test(arguments: [
    ("59", "0,0", "step 1 offset 0\n", 0), ("60", "0,0", "no match\n", 1),
    ("60", "1,0", "step 1 offset -1\n", 0), ("89", "1,1", "step 1 offset -1\n", 0),
    ("90", "1,1", "no match\n", 1), ("0", "5,1", "step 1 offset 1\n", 0),
    ("29", "100,0", "no match\n", 1),
  ])
  func window(time: String, window: String, output: String, status: Int32) throws {
    for backend in ["swift", "openssl", "openssl-compact", "gcrypt", "gcrypt-compact"] {
      let run = try ToolRun(
        ["check", "94287082"] + options + ["--at", time, "--window", window, "--backend", backend],
        input: key)
      #expect(run.output == output)
      #expect(run.status == status)
      #expect(run.errors.isEmpty)
    }
  }

  @Test func windowIsNoneUnlessGiven() throws {
    #expect(try ToolRun(["check", "94287082"] + options + ["--at", "60"], input: key).status == 1)
    #expect(
      try ToolRun(["check", "9428 7082"] + options + ["--at", "59"], input: key).status == 0)
  }

  @Test func json() throws {
    let arguments = ["check", "94287082"] + options + ["--json"]
    #expect(
      try ToolRun(arguments + ["--at", "60", "--window", "1,1"], input: key).output
        == #"{"match":true,"offset":-1,"step":1}"# + "\n")
    let none = try ToolRun(arguments + ["--at", "160"], input: key)
    #expect(none.output == #"{"match":false}"# + "\n")
    #expect(none.status == 1)
  }

  @Test func counters() throws {
    let arguments = ["check", "37359152"] + options
    #expect(
      try ToolRun(arguments + ["--counter", "0", "--window", "0,3"], input: key).output
        == "step 2 offset 2\n")
    #expect(try ToolRun(arguments + ["--counter", "3", "--window", "0,3"], input: key).status == 1)
    #expect(
      try ToolRun(arguments + ["--counter", "3", "--window", "1,3"], input: key).isRefusal())
  }

  @Test(arguments: [
    ["9428708"], ["942870822"], ["９４２８７０８２"], ["94287o82"], [""], [],
    ["94287082", "--window", "1"], ["94287082", "--window", "1,1,1"],
    ["94287082", "--window", "-1,0"], ["94287082", "--window", "0,1000000000"],
    ["94287082", "--window", ","], ["94287082", "--window", "9223372036854775807,0"],
    ["94287082", "94287082"],
  ])
  func refused(_ arguments: [String]) throws {
    let run = try ToolRun(["check"] + arguments + options + ["--at", "59"], input: key)
    #expect(run.isRefusal(), "\(run)")
    #expect(!run.errors.contains("9428"))
  }
}
