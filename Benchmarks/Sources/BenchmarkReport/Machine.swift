package import BenchmarkResults

/// Where results were measured. Results of different machines are never compared.
package struct Machine: Hashable {
  package let host: String
  let processor: String
  let cores: String

  init(_ context: [String: String]) {
    host = context["host_name"] ?? ""
    processor = context["cpu_model"] ?? context["cpu"] ?? ""
    cores = context["num_cpus"] ?? ""
  }

  /// The name of its section.
  var title: String {
    let processor = processor.isEmpty ? "an unnamed processor" : processor
    let cores = cores.isEmpty ? "" : cores == "1" ? ", 1 core" : ", \(cores) cores"
    return "\(processor)\(cores)" + (host.isEmpty ? "" : " (\(host))")
  }
}

/// What was measured of one commit on one machine, in one file or several.
package struct Run {
  package let machine: Machine
  package let commit: String?

  /// Of each file, in the order of their dates.
  let contexts: [[String: String]]

  /// In the order of the files; a benchmark that several have has the repetitions of all.
  package let benchmarks: [BenchmarkResult]

  /// When the first file was begun, as ISO 8601 has it.
  package var date: String { contexts.first?["date"] ?? "" }

  /// Brings results together that belong together, in the order in which they come.
  package static func grouped(_ results: [Results]) -> [Run] {
    struct Key: Hashable {
      let machine: Machine
      let commit: String?
    }
    var order: [Key] = []
    var members: [Key: [Results]] = [:]
    for result in results {
      let key = Key(machine: Machine(result.context), commit: knownCommit(result.context))
      if members[key] == nil { order.append(key) }
      members[key, default: []].append(result)
    }
    return order.map { key in
      Run(machine: key.machine, commit: key.commit, members[key, default: []])
    }
  }

  init(machine: Machine, commit: String?, _ results: [Results]) {
    self.machine = machine
    self.commit = commit
    contexts = results.map(\.context).sorted { $0["date"] ?? "" < $1["date"] ?? "" }
    var order: [String] = []
    var repetitions: [String: [Repetition]] = [:]
    for benchmark in results.flatMap(\.benchmarks) {
      if repetitions[benchmark.name] == nil { order.append(benchmark.name) }
      repetitions[benchmark.name, default: []] += benchmark.repetitions
    }
    benchmarks = order.map { BenchmarkResult(name: $0, repetitions: repetitions[$0, default: []]) }
  }

  /// What the files say, each value once.
  func context(_ key: String) -> String? {
    var values: [String] = []
    for value in contexts.compactMap({ $0[key] }) where !values.contains(value) {
      values.append(value)
    }
    return values.isEmpty ? nil : values.joined(separator: "; ")
  }
}
