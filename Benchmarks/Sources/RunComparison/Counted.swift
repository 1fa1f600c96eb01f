/// A number of things, in words: "1 pair", "2 pairs".
package func counted(_ count: Int, _ thing: String) -> String {
  "\(count) \(thing)\(count == 1 ? "" : "s")"
}
