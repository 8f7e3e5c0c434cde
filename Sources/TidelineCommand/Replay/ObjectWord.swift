import EventStore
import Tideline
import TidelineReplay

/// An object as named on a command line: `threads/1/t1`.
struct ObjectWord {
  let objectClass: ObjectClass
  let account: UInt32
  let id: String
  let collection: RowCollection

  /// Creates the name of a stored object from a word.
  init?(_ word: String) {
    // By bytes, as a mark at the start of an id is one character with the slash.
    let parts = word.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 2, omittingEmptySubsequences: false
    ).map { String(Substring($0)) }
    guard parts.count == 3, let account = UInt32(parts[1]) else { return nil }
    guard let known = Self.kinds.first(where: { $0.collection.name == parts[0] }) else {
      return nil
    }
    (objectClass, collection) = known
    (self.account, id) = (account, parts[2])
  }

  /// The kinds of objects with their collections; drafts are among the messages.
  static let kinds: [(objectClass: ObjectClass, collection: RowCollection)] =
    ObjectClass.allCases.filter { $0 != .draft }.compactMap { known in
      ObjectKind.of(known).map { (known, $0.collection) }
    }

  /// The id of its row.
  var rowID: String { "\(account)/\(id)" }

  /// The word.
  var text: String { "\(collection.name)/\(rowID)" }

  /// The maximum number of candidates that are named.
  private static let namedMax = 5

  /// Returns the mistake of a word in a command line that may mean any of several objects.
  static func ambiguity(of word: String, among names: [String], in command: String) -> Mistake {
    let more = names.count > namedMax ? ", or \(names.count - namedMax) others" : ""
    let named = names.prefix(namedMax).joined(separator: ", ")
    return Mistake(
      "tideline \(command): '\(word)' is ambiguous: \(named)\(more). Name one, as in "
        + "\(names.first ?? "threads/1/ID").")
  }
}

extension Past {
  /// What a word that names no object may name.
  enum Alternative { case list, nothing }

  /// Returns the object that a word names, either in full as in `threads/1/t1` or by its unique id;
  /// `nil` if the word names a list.
  ///
  /// Throws ``Mistake`` for a word that names no object, or several.
  func object(
    _ word: String, in inboxes: InboxReplay, orElse other: Alternative
  ) throws -> ObjectWord? {
    if let object = ObjectWord(word) { return object }
    if other == .list, (try? inboxes.list(word)) != nil { return nil }
    let found = try objects(like: word, in: inboxes)
    if found.count == 1 { return found[0] }
    let place = "after #\(inboxes.number)"
    guard !found.isEmpty else {
      let list = other == .list ? ", and no list has that name" : ""
      throw Mistake(
        "tideline \(name): nothing has an id like '\(word)' \(place)\(list). Name an object as in "
          + "\(ObjectWord.kinds.map(\.collection.name).joined(separator: "/1/ID, "))/1/ID"
          + (other == .list ? ", or a list as in 'unread inbox:1'." : "."))
    }
    throw ObjectWord.ambiguity(of: word, among: found.map(\.text), in: name)
  }

  /// Returns the object that a word names, which must be an object.
  func object(_ word: String, in inboxes: InboxReplay) throws -> ObjectWord {
    guard let object = try object(word, in: inboxes, orElse: .nothing) else {
      throw InboxCommandError.noObject(word)
    }
    return object
  }

  /// Returns the objects that have or had an id, or else those whose id contains it.
  private func objects(like word: String, in inboxes: InboxReplay) throws -> [ObjectWord] {
    let accounts = try inboxes.replay.rows(of: "accounts", in: 0...).map(\.id)
    let known = accounts.flatMap { account in
      ObjectWord.kinds.filter { inboxes.replay.knows("\(account)/\(word)", in: $0.collection) }
        .compactMap { ObjectWord("\($0.collection.name)/\(account)/\(word)") }
    }
    var (same, alike): ([ObjectWord], [ObjectWord]) = ([], [])
    for (_, collection) in ObjectWord.kinds {
      try inboxes.replay.foldedRows.forEachRow(of: collection) { _, row in
        let name = row.name
        guard name.contains(word), let object = ObjectWord("\(collection.name)/\(name)") else {
          return
        }
        if object.id == word { same.append(object) } else { alike.append(object) }
      }
    }
    return same.isEmpty ? (known.isEmpty ? alike : known) : same
  }
}
