package import Foundation

extension Results {
  /// Reads Google Benchmark's JSON with raw repetitions. Aggregates are left out: whoever reads has better ones.
  /// - Parameter source: what messages call it, if not by its path.
  package init(contentsOf path: String, source: String? = nil) throws(ResultsError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw ResultsError(source: source ?? path, .unreadable(fileSystemReason(error)))
    }
    try self.init(json: data, source: source ?? path)
  }

  package init(json: Data, source: String) throws(ResultsError) {
    let file: File
    do {
      let decoder = JSONDecoder()
      // The library writes NaN and Infinity as they are, which only JSON5 has. They are no times, but may be
      // counters.
      decoder.allowsJSON5 = true
      file = try decoder.decode(File.self, from: json)
    } catch let error as DecodingError {
      throw ResultsError(source: source, Self.problem(of: error))
    } catch {
      throw ResultsError(source: source, .notJSON("\(error)"))
    }
    var names: [String] = []
    var repetitions: [String: [Int: Repetition]] = [:]
    for run in file.benchmarks {
      func fail(_ problem: ResultsError.Problem) -> ResultsError {
        ResultsError(source: source, problem)
      }
      if let failure = run.failure { throw fail(.failed(benchmark: run.name, failure)) }
      guard let type = run.type else { throw fail(.noRunType(benchmark: run.name)) }
      guard type == "iteration" else { continue }
      guard let unit = Self.nanoseconds[run.timeUnit ?? "ns"] else {
        throw fail(.unknownTimeUnit(benchmark: run.name, unit: run.timeUnit ?? ""))
      }
      let real = (run.realTime ?? .nan) * unit
      let cpu = (run.cpuTime ?? .nan) * unit
      let counted = BenchmarkResult.countsRealTime(run.name) ? real : cpu
      let possible = BenchmarkResult.possibleTimes
      guard real > 0, real.isFinite, cpu >= 0, cpu.isFinite, possible.contains(counted) else {
        throw fail(.impossibleTime(benchmark: run.name, repetition: run.repetition))
      }
      let repetition = Repetition(
        realTime: real, cpuTime: cpu, iterations: run.iterations,
        itemsPerSecond: run.itemsPerSecond, counters: run.counters)
      if repetitions[run.name] == nil { names.append(run.name) }
      guard
        repetitions[run.name, default: [:]].updateValue(repetition, forKey: run.repetition) == nil
      else { throw fail(.duplicate(benchmark: run.name, repetition: run.repetition)) }
    }
    self.init(
      source: source, context: file.context.mapValues(\.text),
      benchmarks: names.map { name in
        BenchmarkResult(
          name: name,
          repetitions: repetitions[name, default: [:]].sorted { $0.key < $1.key }.map(\.value))
      })
  }

  private static let nanoseconds: [String: Double] = ["ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9]

  private static func problem(of error: DecodingError) -> ResultsError.Problem {
    let context: DecodingError.Context
    let reason: String
    switch error {
    case .dataCorrupted(let corrupted):
      guard corrupted.codingPath.isEmpty else {
        return .malformed(place: path(corrupted.codingPath), corrupted.debugDescription)
      }
      let underlying = (corrupted.underlyingError as? NSError)?.userInfo[NSDebugDescriptionErrorKey]
      return .notJSON(underlying as? String ?? corrupted.debugDescription)
    case .keyNotFound(let key, let missing):
      (context, reason) = (missing, "there is no '\(key.stringValue)'")
    case .typeMismatch(_, let mismatch), .valueNotFound(_, let mismatch):
      (context, reason) = (mismatch, mismatch.debugDescription)
    @unknown default:
      return .notJSON("\(error)")
    }
    return .malformed(place: path(context.codingPath), reason)
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    let path = keys.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? "the file" : String(path.drop { $0 == "." })
  }
}

private struct File: Decodable {
  let context: [String: JSONValue]
  let benchmarks: [Run]
}

/// An entry of the file: a repetition, or an aggregate of them.
private struct Run: Decodable {
  let name: String
  let type: String?
  let failure: String?
  let repetition: Int
  let iterations: Int
  let realTime: Double?
  let cpuTime: Double?
  let timeUnit: String?
  let itemsPerSecond: Double?
  let counters: [String: Double]

  private struct Key: CodingKey, Hashable {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// What is no counter.
  private static let knownKeys: Set = [
    "name", "run_name", "run_type", "family_index", "per_family_instance_index", "repetitions",
    "repetition_index", "threads", "iterations", "real_time", "cpu_time", "time_unit", "label",
    "error_occurred", "error_message", "items_per_second", "aggregate_name", "aggregate_unit",
  ]

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    // Aggregates have the name with a suffix, and the name of the benchmark beside it.
    name =
      try values.decodeIfPresent(String.self, forKey: Key("run_name"))
      ?? values.decode(String.self, forKey: Key("name"))
    type = try values.decodeIfPresent(String.self, forKey: Key("run_type"))
    let failed = try values.decodeIfPresent(Bool.self, forKey: Key("error_occurred")) ?? false
    let message = try values.decodeIfPresent(String.self, forKey: Key("error_message"))
    failure = failed ? message ?? "for an unknown reason" : nil
    // The decoder's own error for a fraction does not say where it is.
    func wholeNumber(_ key: Key) throws -> Int {
      guard let number = try values.decodeIfPresent(Double.self, forKey: key) else { return 0 }
      guard let whole = Int(exactly: number), whole >= 0 else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values, debugDescription: "\(number) is no number of times")
      }
      return whole
    }
    repetition = try wholeNumber(Key("repetition_index"))
    iterations = try wholeNumber(Key("iterations"))
    realTime = try values.decodeIfPresent(Double.self, forKey: Key("real_time"))
    cpuTime = try values.decodeIfPresent(Double.self, forKey: Key("cpu_time"))
    timeUnit = try values.decodeIfPresent(String.self, forKey: Key("time_unit"))
    itemsPerSecond = try values.decodeIfPresent(Double.self, forKey: Key("items_per_second"))
    var counters: [String: Double] = [:]
    for key in values.allKeys where !Self.knownKeys.contains(key.stringValue) {
      counters[key.stringValue] = try values.decode(Double.self, forKey: key)
    }
    self.counters = counters
  }
}

/// Any value of the context.
private enum JSONValue: Decodable {
  case null
  case truth(Bool)
  case number(Double)
  case string(String)
  case list([JSONValue])
  case table([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let truth = try? value.decode(Bool.self) {
      self = .truth(truth)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .table(try value.decode([String: JSONValue].self))
    }
  }

  /// A string is itself; all else is JSON.
  var text: String {
    if case .string(let string) = self { string } else { json }
  }

  private var json: String {
    switch self {
    case .null: "null"
    case .truth(let truth): "\(truth)"
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .string(let string): "\"\(string)\""
    case .list(let list): "[\(list.map(\.json).joined(separator: ", "))]"
    case .table(let table):
      "{\(table.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value.json)" }.joined(separator: ", "))}"
    }
  }
}
