import COTPGetopt
import Foundation

/// The command line of one command, taken apart.
struct Arguments: Sendable {
  private var values: [String: String] = [:]
  private(set) var operands: [String] = []

  /// - Parameter words: what follows the command's name.
  /// - Throws: a ``ToolError`` that names the option at fault, but never what was given to it: that may
  ///   be a key in the wrong place.
  init(_ words: [String], for command: Command) throws {
    let options = command.options + [.help]
    let names = options.map { strdup($0.name) }
    var words: [UnsafeMutablePointer<CChar>?] = (["otp"] + words).map { strdup($0) } + [nil]
    let wordCount = words.count - 1
    // Scanning reorders the words, so they are freed by what they were at first.
    let allocations = words + names
    defer { for allocation in allocations { free(allocation) } }

    var table = zip(options, names).enumerated().map { index, entry in
      option(
        name: UnsafePointer(entry.1),
        has_arg: entry.0.argument == nil ? no_argument : required_argument,
        flag: nil, val: Self.firstValue + Int32(index))
    }
    table.append(option())

    var operandPlaces: [Int] = []
    cotp_getopt_start()
    while true {
      // Nothing is reordered, so that this is the word that is scanned.
      let place = Int(cotp_getopt_index())
      let found = cotp_getopt_next(Int32(wordCount), &words, table)
      guard found != -1 else { break }
      let argument = cotp_getopt_argument().map { String(cString: $0) } ?? ""
      if found == 1 {
        operands.append(argument)
        operandPlaces.append(place)
        continue
      }
      // getopt_long takes the beginning of a name for the name.
      if let word = words[place].map({ String(cString: $0) }), word.hasPrefix("--") {
        let name = word.dropFirst(2).prefix { $0 != "=" }
        guard options.contains(where: { $0.name == name }) else {
          throw Self.noSuchOption(name, place, options, command)
        }
      }
      guard found >= Self.firstValue else {
        throw Self.fault(missesArgument: found == UInt8(ascii: ":"), place, options, command)
      }
      let option = options[Int(found - Self.firstValue)]
      guard values.updateValue(argument, forKey: option.name) == nil else {
        throw ToolError("--\(option.name) is given twice")
      }
    }
    // What follows a "--".
    for place in Int(cotp_getopt_index())..<wordCount {
      operands.append(words[place].map { String(cString: $0) } ?? "")
      operandPlaces.append(place)
    }
    if asksForHelp { return }
    guard operands.count <= command.operands.count else {
      // Its place alone: the word may be a key.
      throw ToolError(
        "word \(operandPlaces[command.operands.count]) after 'otp \(command.name)' is one too many "
          + "(a key comes from a file; a code with spaces needs quotes); see 'otp \(command.name) --help'"
      )
    }
    guard operands.count == command.operands.count else {
      throw ToolError(
        "\(command.operands[operands.count]) is missing; see 'otp \(command.name) --help'")
    }
  }

  var asksForHelp: Bool { has("help") }

  func has(_ name: String) -> Bool {
    values[name] != nil
  }

  func value(of name: String) -> String? {
    values[name]
  }

  /// Refuses options that do not go together.
  func requireAtMostOne(of names: String...) throws {
    let given = names.filter(has)
    if given.count > 1 { throw ToolError("--\(given[0]) and --\(given[1]) exclude each other") }
  }

  /// A whole number, in plain ASCII decimals with at most a minus sign.
  /// - Parameter range: what it must be, in words, for the error.
  func integer<Value: FixedWidthInteger>(
    _ name: String, as: Value.Type, _ range: String
  ) throws -> Value? {
    guard let text = values[name] else { return nil }
    return try wholeNumber(text, of: "--\(name)", range)
  }

  /// Two whole numbers with a comma between them.
  func pair<First: FixedWidthInteger, Second: FixedWidthInteger>(
    _ name: String
  ) throws -> (First, Second)? {
    guard let text = values[name] else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw ToolError("--\(name) must be two whole numbers with a comma between them")
    }
    return (
      try wholeNumber(parts[0], of: "the first number of --\(name)", "a whole number"),
      try wholeNumber(parts[1], of: "the second number of --\(name)", "a whole number")
    )
  }

  // Above every character that getopt_long answers with.
  private static let firstValue: Int32 = 0x100

  private static func fault(
    missesArgument: Bool, _ place: Int, _ options: [Option], _ command: Command
  ) -> ToolError {
    // Only the name of an option that there is is repeated: anything else may be a key.
    let number = Int(cotp_getopt_fault() - firstValue)
    let name = options.indices.contains(number) ? "--" + options[number].name : nil
    if missesArgument { return ToolError("\(name ?? "an option") needs an argument") }
    guard let name else { return noSuchOption(nil, place, options, command) }
    return ToolError("\(name) takes no argument; see 'otp \(command.name) --help'")
  }

  /// Names the options that `beginning` is the beginning of, and the word by its place alone: it may be a key.
  private static func noSuchOption(
    _ beginning: Substring?, _ place: Int, _ options: [Option], _ command: Command
  ) -> ToolError {
    let meant = options.filter { option in beginning.map(option.name.hasPrefix) ?? false }
      .map { "--\($0.name)" }
    let hint = meant.isEmpty ? "" : ", give the whole name: \(meant.joined(separator: ", "))"
    return ToolError(
      "word \(place) after 'otp \(command.name)': there is no such option\(hint); "
        + "see 'otp \(command.name) --help'")
  }
}

/// A whole number, in plain ASCII decimals with at most a minus sign and no leading zeros.
func wholeNumber<Value: FixedWidthInteger>(
  _ text: some StringProtocol, of name: String, _ range: String
) throws(ToolError) -> Value {
  guard let value = Value(text), String(value) == text else {
    throw ToolError("\(name) must be \(range)")
  }
  return value
}
