/// What the contexts of two results say differently: another machine, another library. A line for each.
func contextDifferences(base: [String: String], head: [String: String]) -> [String] {
  Set(base.keys).union(head.keys).subtracting(changing).sorted().compactMap { key in
    guard base[key] != head[key], !key.hasSuffix("_reason") else { return nil }
    return "\(key): \(base[key] ?? "not given") in BASE, \(head[key] ?? "not given") in HEAD"
  }
}

/// What differs between any two runs: when they were, what is compared, and what the machine did meanwhile. So do
/// reasons, which tell times.
private let changing: Set = ["commit", "date", "executable", "load_avg", "mhz_per_cpu"]
