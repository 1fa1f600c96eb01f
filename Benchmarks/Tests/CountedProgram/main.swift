// A program for the tests of counting: names of benchmarks say what is done and how often, such as `loop/1000`.
import BenchmarkRegistry
import CKnownWork
import CountedRun
import Foundation

final class Something {
  let number: Int
  init(_ number: Int) { self.number = number }
}

// Of this one thread; what is there is not optimized away.
nonisolated(unsafe) var kept: Something?
nonisolated(unsafe) var searchedMembers = 0
nonisolated(unsafe) var keptArrays: [[UInt8]] = []
nonisolated(unsafe) var lastNumbers: [Int] = []

func body(_ work: Substring, _ count: Int) throws -> () throws -> Void {
  switch work {
  case "loop": return { cknownwork_loop(count) }
  case "loop-with-one-more": return { cknownwork_loop_with_one_more(count) }
  case "c-allocations": return { cknownwork_allocate(count) }
  case "objects": return { for number in 0..<count { kept = Something(number) } }
  case "aligned-memory":
    return {
      for _ in 0..<count {
        UnsafeMutableRawPointer.allocate(byteCount: 256, alignment: 64).deallocate()
      }
    }
  case "growing-arrays", "growing-arrays-later":
    // What is allocated before, and freed again in part, is of many sizes.
    let earlier = work == "growing-arrays" ? 0 : 2000
    let kept = (0..<earlier).map { [UInt8](repeating: 1, count: $0 * 37 % 1999) }
    keptArrays = kept.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    return {
      for _ in 0..<count {
        var numbers: [Int] = []
        for number in 0..<200 { numbers.append(number) }
        lastNumbers = numbers
      }
    }
  case "set-order":
    // How far it searches differs from process to process, where hashes do.
    let members = Set((0..<count).map { "member \($0)" })
    let middle = "member \(count / 2)"
    return { searchedMembers = members.prefix { $0 != middle }.count }
  case "fail": return { throw BenchmarkFault("it fails as it should") }
  case "crash": return { abort() }
  case "hang": return { while true { pause() } }
  default: throw BenchmarkFault("there is no work of this name")
  }
}

if CommandLine.arguments.last == "silent" { exit(0) }
do {
  let isComplete = try CountedRun.run(seconds: 5) { name in
    let parts = name.split(separator: "/")
    let count = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
    return Benchmark(name) {
      PreparedBenchmark(items: count, .plain(try body(parts[0], count)))
    }
  }
  exit(isComplete ? 0 : 1)
} catch {
  try? FileHandle.standardError.write(contentsOf: Data("counted-program: \(error)\n".utf8))
  exit(1)
}
