public import EventStore

/// What a server has told, to be taken in together.
///
///     try await inbox.apply(Delivery { delivery in
///       delivery.add(message, body: "<p>Hello</p>")
///       delivery.delete(MailThread.self, "t1")
///       delivery.setCursor("a9", of: "deltas")
///     })
public struct Delivery: Sendable {
  /// How much of what was asked for it is.
  public enum Extent: Sendable, Hashable {
    /// All objects of the types that it has: what is not in it is not at the server.
    case whole
    /// Some objects: what is not in it may be at the server.
    case part
  }

  /// How much of what was asked for it is.
  public var extent = Extent.part
  /// The last record that there was when the server was asked; without it, when this is applied.
  public var askedAfter: RecordNumber?
  /// The types that were asked for, where that can't be seen from the objects.
  var classes: Set<ObjectClass> = []
  package var facts: [ObjectFact] = []
  package var cursors: [CursorSet] = []
  /// Where the contents of files are.
  private(set) var contents: [ContentStored] = []
  /// What a mark does not stand for any more, once anything of this is recorded.
  private(set) var reset: CursorReset?
  /// As a cursor, but where something of it is in doubt it is not recorded, so that all of it is
  /// told again.
  private(set) var mark: CursorSet?
  /// Items of it that could not be read.
  package var refused: [ItemRefused] = []
  /// The ids of all objects that there are of a class, where they were asked for in parts.
  package var listed: [ObjectClass: Set<String>] = [:]
  /// The classes of which it has all objects that there are.
  package var listedClasses: Set<ObjectClass> = []
  /// Whether the server is to be told which messages were received with it.
  package var wantsReceipts = false
  /// How the server was asked, where it was this engine that asked.
  package var exchange: Exchange?

  /// One that `fill` fills, or an empty one.
  public init(_ fill: (inout Delivery) -> Void = { _ in }) { fill(&self) }

  /// Has an object be as it is: all of it, or of a partial one what is known or has a value.
  ///
  /// The object itself only refers to its texts, so those that it shall have are named beside it: a
  /// text that is not named stays as it is known.
  ///
  ///     delivery.add(message, body: "<p>Hello</p>")
  ///     delivery.add(message, texts: [\.body: nil])
  ///     delivery.add(rich, texts: [\.content: page, \.customKeys: #"{"color":"red"}"#])
  ///
  /// Of a file it also says where its content is, ``Attachment/localPath``, which no server knows:
  /// so of a file that the app has loaded. A part that knows of it and has none says that the
  /// content is there no more.
  ///
  /// Whose account it says it is does not count. One without an id, or with one of more than
  /// ``idBytesMax`` bytes, or that no row holds as it is too large, is recorded as refused, and
  /// stays as it is known.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - body: Its text: a message's body, or a rich message's content.
  ///   - texts: Its texts by the properties that refer to them, `nil` for one that isn't there.
  ///     JSON is kept byte by byte.
  public mutating func add<Object: Model>(
    _ object: Object, body: String? = nil, texts: [KeyPath<Object, TextReference?>: String?] = [:]
  ) {
    do throws(RowError) {
      var fields = try ObjectFields(object, body: body, texts: texts)
      if Object.objectClass != .account, let problem = Self.problem(ofID: object.id) {
        return refuse(object, because: problem)
      }
      fields.put(.change, object.isPartial ? .changed : .whole)
      add(ObjectFact(Object.objectClass, fields))
      if let file = object as? Attachment { addContent(of: file) }
    } catch {
      refuse(object, because: error.description)
    }
  }

  /// What is wrong with an object's id, if anything is.
  private static func problem(ofID id: String) -> String? {
    let count = id.utf8.count
    if count == 0 { return "It has no id." }
    return count > idBytesMax ? "Its id has \(count) bytes, and may have \(idBytesMax)." : nil
  }

  private mutating func addContent(of file: Attachment) {
    guard file.localPath != nil || file.isPartial && file.knows(\.localPath) else { return }
    contents.append(
      ContentStored {
        $0.id = file.id
        $0.content = file.localPath?.nonempty
      })
  }

  private mutating func refuse<Object: Model>(_ object: Object, because reason: String) {
    refuse(Object.self, object.id, because: reason)
  }

  private mutating func refuse<Object: Model>(
    _ type: Object.Type, _ id: String, because reason: String
  ) {
    covers(type)
    refused.append(
      ItemRefused {
        ($0.objectClass, $0.reason) = (Object.objectClass, reason)
        $0.id = id.utf8.count <= Self.idBytesMax ? id : String(id.prefix(Self.idMax))
      })
  }

  /// The characters that are kept of an id, or of a stream's name, that is too long.
  private static let idMax = 200

  /// Has an object be gone; that one without a fit id is, is recorded as refused.
  public mutating func delete<Object: Model>(_ type: Object.Type, _ id: String) {
    if let problem = Self.problem(ofID: id) { return refuse(type, id, because: problem) }
    let fields = ObjectFields {
      $0.put(.id, id)
      $0.put(.change, ObjectChange.deleted)
    }
    add(ObjectFact(Object.objectClass, fields))
  }

  /// Has everything of a type have been asked for, though there may be none.
  public mutating func covers<Object: Model>(_ type: Object.Type) {
    classes.insert(Object.objectClass)
  }

  /// Has changes be asked for from a place on, in one of the server's streams.
  ///
  /// One of more than ``cursorBytesMax`` bytes is recorded as refused, and the place is the one
  /// that was known before.
  public mutating func setCursor(_ cursor: String, of stream: String) {
    guard let problem = Self.problem(ofCursor: cursor) else {
      return setCursor(cursor, of: stream, isAtEnd: false)
    }
    refused.append(
      ItemRefused { ($0.id, $0.reason) = (String(stream.prefix(Self.idMax)), problem) })
  }

  /// The bytes that an object's id may have, so that what is kept of it is found by it.
  public static let idBytesMax = 1000
  /// The bytes that a cursor may have: it is recorded each time that it is another.
  public static let cursorBytesMax = 16 << 10

  /// What is wrong with a cursor, if anything is.
  package static func problem(ofCursor cursor: String) -> String? {
    let count = cursor.utf8.count
    guard count > cursorBytesMax else { return nil }
    return "The cursor has \(count) bytes, and may have \(cursorBytesMax)."
  }

  /// The same, with whether nothing was behind that place.
  package mutating func setCursor(_ cursor: String, of stream: String, isAtEnd: Bool) {
    cursors.append(
      CursorSet {
        $0.stream = stream
        $0.cursor = cursor
        $0.isAtEnd = isAtEnd
      })
  }

  /// Has what it is be told by a server only when it is another, if it is marked and nothing of it
  /// is in doubt, and has it take the place of what was marked before.
  package mutating func setMark(_ new: String?, replacing old: String?, of stream: String) {
    mark = new.map { new in
      CursorSet { ($0.stream, $0.cursor, $0.isAtEnd) = (stream, new, true) }
    }
    reset = old.map { old in
      CursorReset { ($0.stream, $0.reason, $0.cursor) = (stream, .replaced, old) }
    }
  }

  /// Whether a place is recorded with it.
  package var movesOn: Bool { !cursors.isEmpty || mark != nil }

  /// Adds a fact.
  package mutating func add(_ fact: ObjectFact) {
    classes.insert(fact.objectClass)
    facts.append(fact)
  }

  /// Adds facts behind those that it has.
  package mutating func add(_ more: [ObjectFact]) {
    var last: ObjectClass?
    for fact in more where fact.objectClass != last {
      classes.insert(fact.objectClass)
      last = fact.objectClass
    }
    if facts.isEmpty { facts = more } else { facts += more }
  }
}
