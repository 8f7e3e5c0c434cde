/// The form of a subcommand's command line.
struct Usage {
  /// The name of the subcommand.
  let name: String
  /// The required folders.
  let folders: [String]
  /// The name of the words after the folders, of which there must be at least one, or `nil` for
  /// none.
  var words: String?
  /// The options without a value.
  var flags: [String] = []
  /// The options with a number, and its range.
  var numbers: [String: ClosedRange<UInt64>] = [:]
  /// The options with a text, and its name.
  var texts: [String: String] = [:]

  /// The maximum number of options shown on a line.
  private static let optionsMax = 5

  /// A usage line with all options, or only a placeholder for many.
  var line: String {
    let names = texts.merging(numbers.mapValues { _ in "N" }) { $1 }
    let options =
      names.sorted { $0.key < $1.key }.map { "[\($0) \($1)]" } + flags.map { "[\($0)]" }
    let shown = options.count <= Self.optionsMax ? options : ["[OPTION...]"]
    let all = ["tideline", name] + folders + (words.map { ["\($0)..."] } ?? []) + shown
    return all.joined(separator: " ")
  }
}

/// An error in a command line and its remedy, in one line.
struct Mistake: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The parsed command line of a subcommand.
///
/// Options may stand anywhere, with a value after a space or `=`; after `--` there are only
/// folders.
struct Arguments {
  /// The folders, as many as the usage requires unless help is requested.
  private(set) var folders: [String] = []
  /// The words after the folders.
  private(set) var words: [String] = []
  /// Whether help is requested; missing folders are then no error.
  private(set) var isForHelp = false
  private var flags: Set<String> = []
  private var numbers: [String: UInt64] = [:]
  private var texts: [String: String] = [:]
  private let usage: Usage

  /// Parses the words after the subcommand's name.
  init(_ words: ArraySlice<String>, for usage: Usage) throws(Mistake) {
    self.usage = usage
    var rest = words
    while let word = rest.popFirst() {
      if word == "--" {
        folders += rest
        break
      }
      // No option begins with a digit, but places such as -1h do; a lone hyphen means standard
      // input or output.
      let isOption = word.hasPrefix("-") && word.dropFirst().first.map { !$0.isNumber } == true
      if isOption { try take(option: word, &rest) } else { folders.append(word) }
    }
    if !isForHelp { try checkFolders() }
    if usage.words != nil, folders.count > usage.folders.count {
      self.words = Array(folders[usage.folders.count...])
      folders.removeLast(self.words.count)
    }
  }

  /// Whether a word requests help.
  static func asksForHelp(_ word: String) -> Bool { word == "--help" || word == "-h" }

  /// Whether a flag was given.
  func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// Returns the number given with an option.
  func number(_ option: String) -> UInt64? { numbers[option] }

  /// Returns the text given with an option.
  func text(_ option: String) -> String? { texts[option] }

  private mutating func take(option word: String, _ rest: inout ArraySlice<String>) throws(Mistake)
  {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, value) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    if Self.asksForHelp(word) {
      isForHelp = true
    } else if let range = usage.numbers[name] {
      numbers[name] = try number(in: range, for: name, value ?? rest.popFirst())
    } else if let called = usage.texts[name] {
      texts[name] = try text(called, for: name, value ?? rest.popFirst())
    } else if value == nil, usage.flags.contains(name) {
      flags.insert(name)
    } else {
      throw mistake("unknown option '\(word)'")
    }
  }

  private func number(
    in range: ClosedRange<UInt64>, for name: String, _ word: String?
  ) throws(Mistake) -> UInt64 {
    guard let number = word.flatMap({ UInt64($0) }), range ~= number else {
      throw mistake("\(name) takes a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private func text(
    _ called: String, for name: String, _ word: String?
  ) throws(Mistake) -> String {
    guard let word, !word.isEmpty else { throw mistake("\(name) takes a \(called)") }
    return word
  }

  private func checkFolders() throws(Mistake) {
    guard folders.count >= usage.folders.count else {
      throw mistake("\(usage.folders[folders.count]) is missing")
    }
    let count = usage.folders.count
    if let words = usage.words {
      guard folders.count > count else { throw mistake("\(words) is missing") }
    } else if folders.count > count {
      throw mistake("unexpected argument '\(folders[count])'")
    }
    guard let empty = folders.firstIndex(of: "") else { return }
    let name = empty < count ? usage.folders[empty] : usage.words ?? ""
    throw mistake("\(name) is empty")
  }

  private func mistake(_ what: String) -> Mistake {
    Mistake("tideline \(usage.name): \(what). Usage: \(usage.line)")
  }
}
