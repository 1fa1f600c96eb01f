// A program for the tests of counting: its argument chooses what it does, its second one how often.
import BenchmarkRegistry
import CKnownWork
import Foundation
import Instructions

let arguments = CommandLine.arguments
let count = arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1

final class Something {
  let number: Int
  init(_ number: Int) { self.number = number }
}

// Of this one thread; what is there is not optimized away.
nonisolated(unsafe) var kept: Something?
nonisolated(unsafe) var searchedMembers = 0

/// Its order differs from process to process.
let members = Set((0..<1000).map { "member \($0)" })
let middle = "member 500"

func body(_ name: String) -> () throws -> Void {
  switch name {
  case "loop": { cknownwork_loop(count) }
  case "loop-with-one-more": { cknownwork_loop_with_one_more(count) }
  case "c-allocations": { cknownwork_allocate(count) }
  case "objects": { for number in 0..<count { kept = Something(number) } }
  case "aligned-memory":
    {
      for _ in 0..<count {
        UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 64).deallocate()
      }
    }
  case "set-order": { searchedMembers = members.prefix { $0 != middle }.count }
  case "fail": { throw BenchmarkFault("it fails as it should") }
  case "crash": { abort() }
  case "hang": { while true { pause() } }
  default: { fatalError("there is no work of this name") }
  }
}

do {
  if arguments[1] == "silent" { exit(0) }
  print(try CountedRun.run(PreparedBenchmark(items: count, .plain(body(arguments[1])))))
} catch {
  try? FileHandle.standardError.write(contentsOf: Data("counted-program: \(error)\n".utf8))
  exit(1)
}
