public import EventStore

/// An object of an inbox: one of the eight types that there are, as nobody else can declare one.
///
/// It is a value that is read from a row of a collection. A predicate or a sort descriptor of the
/// type is planned by its ``properties``.
public protocol Model: Codable, Hashable, Identifiable, Sendable where ID == String {
  /// The collection whose rows such objects are.
  static var collection: RowCollection { get }
  /// Which of the collection's rows are such objects.
  static var scope: Condition { get }
  /// Whether a row of the collection is such an object: whether it meets the scope.
  static func includes(_ row: Row) -> Bool
  /// The properties and the fields that hold them.
  static var properties: [ModelProperty<Self>] { get }
  /// The account and the id that a row's id is made of, or `nil` where it is none.
  static func name(of rowID: String) -> (account: UInt32, id: String)?
  /// The id that the server gave, or a temporary one.
  var id: String { get }
  /// The id that the server has given the object since, if that is another than ``id``; both find
  /// it. Of an account, the server's id.
  var serverID: String? { get }
  /// The number of the account that the object belongs to.
  var account: UInt32 { get }
  /// The id of the object's row.
  var rowID: String { get }
  /// The fields that some source has told of, also that there is no value: bit n for the field
  /// numbered n + 1; all bits once the whole object was seen.
  var known: Int64 { get set }
  /// Sets the fields that the object's properties are held by, and leaves others as they are.
  func fill(_ row: inout MutableRow)
  /// An object without values, all of it, so that whoever tells of it clears what it doesn't say;
  /// for a part there is ``init(partOf:account:knowing:)``.
  init(id: String, account: UInt32)
}

extension Model {
  /// A part of an object, without values: who tells of it, such as by a ``Delivery``, tells of what
  /// it is given a value of, and what is not said stays as it is.
  ///
  ///     var thread = MailThread(partOf: "t1", account: inbox.account, knowing: [\.snippet])
  ///     thread.subject = "Lunch?"
  ///
  /// - Parameters:
  ///   - id: The object's id.
  ///   - account: The number of the account that it belongs to.
  ///   - properties: What is told of it beside that: that it is false, or has no value.
  public init(
    partOf id: String, account: UInt32, knowing properties: [PartialKeyPath<Self>] = []
  ) {
    self.init(id: id, account: account)
    known = properties.reduce(0) { bits, keyPath in
      guard let field = Self.property(keyPath)?.field else { return bits }
      return bits | Int64(bitPattern: 1 << UInt64(field.number - 1))
    }
  }

  /// The rows that are shown.
  public static var scope: Condition { InboxFields.hiding == nil }

  /// Whether the row is shown.
  public static func includes(_ row: Row) -> Bool { row[InboxFields.hiding] == nil }

  /// What stands before the first slash and what stands behind it.
  public static func name(of rowID: String) -> (account: UInt32, id: String)? {
    guard let slash = rowID.firstIndex(of: "/"),
      let account = UInt32(canonical: rowID[..<slash])
    else { return nil }
    return (account, String(rowID[rowID.index(after: slash)...]))
  }

  /// Account and id, with a slash between them.
  public var rowID: String { "\(account)/\(id)" }

  /// The object that a row is, or `nil` where its id is none or it is another kind of object.
  ///
  /// - Complexity: O(properties)
  public init?(_ row: Row) {
    guard Self.includes(row), let object = Self.read(row) else { return nil }
    self = object
  }

  /// The object that a row holds, whether it is shown or not.
  static func read(_ row: Row) -> Self? {
    guard let name = name(of: row.id) else { return nil }
    var object = Self(id: name.id, account: name.account)
    for property in properties { property.read(row, &object) }
    object.known = row[InboxFields.known] ?? Int64(bitPattern: row.presence)
    return object
  }

  /// Sets the fields that the object's properties are held by, and leaves others as they are.
  public func fill(_ row: inout MutableRow) { fillProperties(of: &row) }

  func fillProperties(of row: inout MutableRow) {
    for property in Self.properties { property.write(self, &row) }
    row[InboxFields.known] = known
  }

  /// A row that is this object.
  ///
  /// - Throws: `RowError` where the id or the whole is too long.
  package func row() throws(RowError) -> Row {
    try Row(rowID, in: Self.collection) { fill(&$0) }
  }

  /// What has never had a temporary id has no other.
  public var serverID: String? { nil }

  /// Whether the server does not know the object yet: it has given it no id.
  public var isUnsynced: Bool { hasTemporaryID && serverID == nil }

  /// Whether the id is the device's own, which an object keeps.
  var hasTemporaryID: Bool { id.hasPrefix("local-") }

  /// Whether not all of the object was seen yet.
  public var isPartial: Bool { known != -1 }

  /// Whether some source has told of the property, be it that there is no value.
  public func knows(_ keyPath: PartialKeyPath<Self>) -> Bool {
    guard let field = Self.property(keyPath)?.field else { return true }
    return known >> Int64(field.number - 1) & 1 == 1
  }

  package static func property(_ keyPath: AnyKeyPath) -> ModelProperty<Self>? {
    properties.first { $0.keyPath == keyPath }
  }
}

extension UInt32 {
  /// The number that is written so, and in no other way.
  init?(canonical text: some StringProtocol) {
    guard let number = UInt32(text), String(number) == text else { return nil }
    self = number
  }
}
