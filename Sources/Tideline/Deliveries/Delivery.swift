public import EventStore

/// What a server has reported, to be applied together.
///
///     try await inbox.apply(Delivery { delivery in
///       delivery.add(message, body: "<p>Hello</p>")
///       delivery.delete(MailThread.self, "t1")
///       delivery.setCursor("a9", of: "deltas")
///     })
public struct Delivery: Sendable {
  /// How much of the requested content a delivery has.
  public enum Extent: Sendable, Hashable {
    /// All objects of its types: an object that is not in it is not at the server.
    case whole
    /// Some objects: an object that is not in it may still be at the server.
    case part
  }

  /// How much of the requested content the delivery has.
  public var extent = Extent.part
  /// The last record in the log when the server was asked; without it, when the delivery is
  /// applied.
  public var askedAfter: RecordNumber?
  /// The requested types, where the objects don't show them.
  var classes: Set<ObjectClass> = []
  package var facts: [ObjectFact] = []
  package var cursors: [CursorSet] = []
  /// The locations of files' contents.
  private(set) var contents: [ContentStored] = []
  /// The mark that is no longer valid once anything of this delivery is recorded.
  private(set) var reset: CursorReset?
  /// A mark like a cursor, which is not recorded if anything in the delivery is doubtful, so that
  /// the server reports everything again.
  private(set) var mark: CursorSet?
  /// Items that could not be read.
  package var refused: [ItemRefused] = []
  /// The classes of refused objects without a fit id, which may be any of their class.
  private(set) var nameless: Set<ObjectClass> = []
  /// The ids of all existing objects of a class, if they were requested in parts.
  package var listed: [ObjectClass: Set<String>] = [:]
  /// The classes whose existing objects are all in the delivery.
  package var listedClasses: Set<ObjectClass> = []
  /// Whether the server is told which messages were received.
  package var wantsReceipts = false
  /// How the server was asked, if this engine asked it.
  package var exchange: Exchange?

  /// Creates a delivery that `fill` fills, or an empty one.
  public init(_ fill: (inout Delivery) -> Void = { _ in }) { fill(&self) }

  /// Adds an object as the server has it: in full or, if it is partial, the properties that are
  /// known or have a value.
  ///
  /// An object only refers to its texts, so its new texts are passed beside it; a text that is not
  /// passed stays as it is known.
  ///
  ///     delivery.add(message, body: "<p>Hello</p>")
  ///     delivery.add(message, texts: [\.body: nil])
  ///     delivery.add(rich, texts: [\.content: page, \.customKeys: #"{"color":"red"}"#])
  ///
  /// For a file, this also records where its content is, ``Attachment/localPath``, which no server
  /// knows: use it for a file that the app has downloaded. A partial file that knows the path and
  /// has none says that the content no longer exists.
  ///
  /// The object's account is ignored. An object without an id, with an id of more than
  /// ``idBytesMax`` bytes, or too large for a row, is recorded as refused, and stays as it is
  /// known.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - body: Its text: a message's body, or a rich message's content.
  ///   - texts: Its texts by the properties that refer to them, `nil` for one that doesn't exist.
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

  /// Returns what is wrong with an object's id, if anything.
  private static func problem(ofID id: String) -> String? {
    let count = id.utf8.count
    if count == 0 { return "It has no id." }
    return count > idBytesMax ? "Its id has \(count) bytes; the limit is \(idBytesMax)." : nil
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
    if Self.problem(ofID: id) != nil { nameless.insert(Object.objectClass) }
    refused.append(
      ItemRefused {
        ($0.objectClass, $0.reason) = (Object.objectClass, reason)
        $0.id = id.utf8.count <= Self.idBytesMax ? id : String(id.prefix(Self.idMax))
      })
  }

  /// The number of characters that are kept of an id, or of a stream's name, that is too long.
  private static let idMax = 200

  /// Adds the deletion of an object; one with an unfit id is recorded as refused.
  public mutating func delete<Object: Model>(_ type: Object.Type, _ id: String) {
    if let problem = Self.problem(ofID: id) { return refuse(type, id, because: problem) }
    let fields = ObjectFields {
      $0.put(.id, id)
      $0.put(.change, ObjectChange.deleted)
    }
    add(ObjectFact(Object.objectClass, fields))
  }

  /// States that all objects of a type were requested, even if there are none.
  public mutating func covers<Object: Model>(_ type: Object.Type) {
    classes.insert(Object.objectClass)
  }

  /// Sets the place in one of the server's streams after which changes are requested next.
  ///
  /// A cursor of more than ``cursorBytesMax`` bytes is recorded as refused, and the previous place
  /// stays.
  public mutating func setCursor(_ cursor: String, of stream: String) {
    guard let problem = Self.problem(ofCursor: cursor) else {
      return setCursor(cursor, of: stream, isAtEnd: false)
    }
    refused.append(
      ItemRefused { ($0.id, $0.reason) = (String(stream.prefix(Self.idMax)), problem) })
  }

  /// The maximum size in bytes of an object's id, so that its stored state can be found by it.
  public static let idBytesMax = 1000
  /// The maximum size in bytes of a cursor, which is recorded each time that it changes.
  public static let cursorBytesMax = 16 << 10

  /// Returns what is wrong with a cursor, if anything.
  package static func problem(ofCursor cursor: String) -> String? {
    let count = cursor.utf8.count
    guard count > cursorBytesMax else { return nil }
    return "The cursor has \(count) bytes; the limit is \(cursorBytesMax)."
  }

  /// Sets a cursor, and whether nothing came after that place.
  package mutating func setCursor(_ cursor: String, of stream: String, isAtEnd: Bool) {
    cursors.append(
      CursorSet {
        $0.stream = stream
        $0.cursor = cursor
        $0.isAtEnd = isAtEnd
      })
  }

  /// Sets the mark with which the server sends this content again only once it has changed, in
  /// place of the old mark; it is not recorded if anything in the delivery is doubtful.
  package mutating func setMark(_ new: String?, replacing old: String?, of stream: String) {
    mark = new.map { new in
      CursorSet { ($0.stream, $0.cursor, $0.isAtEnd) = (stream, new, true) }
    }
    reset = old.map { old in
      CursorReset { ($0.stream, $0.reason, $0.cursor) = (stream, .replaced, old) }
    }
  }

  /// Whether it has a cursor or a mark.
  package var movesOn: Bool { !cursors.isEmpty || mark != nil }

  /// Adds a fact.
  package mutating func add(_ fact: ObjectFact) {
    if facts.last?.objectClass != fact.objectClass { classes.insert(fact.objectClass) }
    facts.append(fact)
  }

  /// Adds facts after those that it has.
  package mutating func add(_ more: [ObjectFact]) {
    var last: ObjectClass?
    for fact in more where fact.objectClass != last {
      classes.insert(fact.objectClass)
      last = fact.objectClass
    }
    if facts.isEmpty { facts = more } else { facts += more }
  }
}
