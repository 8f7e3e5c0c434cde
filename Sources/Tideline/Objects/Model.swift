public import EventStore

/// An object of an inbox.
///
/// Eight types conform; apps can't declare others. A value is read from a row of a collection.
/// Queries use ``properties`` to plan predicates and sort descriptors of the type.
public protocol Model: Codable, Hashable, Identifiable, Sendable where ID == String {
  /// The collection whose rows hold these objects.
  static var collection: RowCollection { get }
  /// The condition that selects this type's rows in the collection.
  static var scope: Condition { get }
  /// Returns whether a row of the collection meets the scope.
  static func includes(_ row: Row) -> Bool
  /// The properties and the fields that hold them.
  static var properties: [ModelProperty<Self>] { get }
  /// Returns the account and the id that make up a row's id, or `nil` if it is not a row id.
  static func name(of rowID: String) -> (account: UInt32, id: String)?
  /// The id assigned by the server, or a temporary one.
  var id: String { get }
  /// The id that the server assigned later, if it differs from ``id``; either one finds the object.
  /// For an account, the server's id.
  var serverID: String? { get }
  /// The number of the account that the object belongs to.
  var account: UInt32 { get }
  /// The id of the object's row.
  var rowID: String { get }
  /// The fields that some source has reported, even as having no value.
  ///
  /// Bit n is for the field numbered n + 1. All bits are set once the whole object was seen.
  var known: Int64 { get set }
  /// Sets the fields that store the object's properties and leaves the others unchanged.
  func fill(_ row: inout MutableRow)
  /// Creates a complete object without values.
  ///
  /// Reporting it clears whatever has no value. For a partial object, use
  /// ``init(partOf:account:knowing:)``.
  init(id: String, account: UInt32)
}

extension Model {
  /// Creates a partial object without values.
  ///
  /// Reporting it, such as in a ``Delivery``, changes only properties with a value and those in
  /// `properties`.
  ///
  ///     var thread = MailThread(partOf: "t1", account: inbox.account, knowing: [\.snippet])
  ///     thread.subject = "Lunch?"
  ///
  /// - Parameters:
  ///   - id: The object's id.
  ///   - account: The number of the account that the object belongs to.
  ///   - properties: Further properties to report, as `false` or as having no value.
  public init(
    partOf id: String, account: UInt32, knowing properties: [PartialKeyPath<Self>] = []
  ) {
    self.init(id: id, account: account)
    known = properties.reduce(0) { bits, keyPath in
      guard let field = Self.property(keyPath)?.field else { return bits }
      return bits | Int64(bitPattern: 1 << UInt64(field.number - 1))
    }
  }

  /// The rows that are not hidden.
  public static var scope: Condition { InboxFields.hiding == nil }

  /// Returns whether the row is not hidden.
  public static func includes(_ row: Row) -> Bool { row[InboxFields.hiding] == nil }

  /// Splits a row id at the first slash.
  public static func name(of rowID: String) -> (account: UInt32, id: String)? {
    // By bytes, as a mark at the start of an id is one character with the slash.
    guard let slash = rowID.utf8.firstIndex(of: UInt8(ascii: "/")),
      let account = UInt32(canonical: rowID[..<slash])
    else { return nil }
    return (account, String(rowID[rowID.utf8.index(after: slash)...]))
  }

  /// The account and the id, joined by a slash.
  public var rowID: String { "\(account)/\(id)" }

  /// Creates the object that a row holds, or `nil` if the row's id is invalid or the row is out of
  /// scope.
  ///
  /// - Complexity: O(properties)
  public init?(_ row: Row) {
    guard Self.includes(row), let object = Self.read(row) else { return nil }
    self = object
  }

  /// Returns the object that a row holds, whether hidden or not.
  static func read(_ row: Row) -> Self? {
    guard let name = name(of: row.id) else { return nil }
    var object = Self(id: name.id, account: name.account)
    for property in properties { property.read(row, &object) }
    object.known = row[InboxFields.known] ?? Int64(bitPattern: row.presence)
    return object
  }

  /// Sets the fields that store the object's properties and leaves the others unchanged.
  public func fill(_ row: inout MutableRow) { fillProperties(of: &row) }

  func fillProperties(of row: inout MutableRow) {
    for property in Self.properties { property.write(self, &row) }
    row[InboxFields.known] = known
  }

  /// Returns a row that holds this object.
  ///
  /// - Throws: `RowError` if the id or the whole row is too long.
  package func row() throws(RowError) -> Row {
    try Row(rowID, in: Self.collection) { fill(&$0) }
  }

  /// `nil`: an object that never had a temporary id has no second id.
  public var serverID: String? { nil }

  /// Whether the server does not know the object yet: it has assigned no id.
  public var isUnsynced: Bool { hasTemporaryID && serverID == nil }

  /// Whether the device assigned the id, which the object keeps.
  var hasTemporaryID: Bool { TemporaryID.begins(id) }

  /// Whether parts of the object have not been seen yet.
  public var isPartial: Bool { known != -1 }

  /// Returns whether some source has reported the property, even as having no value.
  public func knows(_ keyPath: PartialKeyPath<Self>) -> Bool {
    guard let field = Self.property(keyPath)?.field else { return true }
    return known >> Int64(field.number - 1) & 1 == 1
  }

  package static func property(_ keyPath: AnyKeyPath) -> ModelProperty<Self>? {
    properties.first { $0.keyPath == keyPath }
  }
}

extension UInt32 {
  /// Parses a number in its canonical form and no other.
  init?(canonical text: some StringProtocol) {
    guard let first = text.utf8.first, first != UInt8(ascii: "0") || text.utf8.count == 1 else {
      return nil
    }
    self = 0
    for digit in text.utf8 {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      let (tens, isTooLarge) = multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = tens.addingReportingOverflow(UInt32(digit - UInt8(ascii: "0")))
      guard !isTooLarge, !isLarger else { return nil }
      self = sum
    }
  }
}

extension Model {
  /// The class of objects of this type in the log.
  package static var objectClass: ObjectClass {
    if Self.self is Draft.Type { return .draft }
    return ObjectClass(rawValue: Int64(collection.number)) ?? .other
  }
}

extension Model {
  /// Returns the id of the row of an object; an account's own is its number.
  static func rowID(of id: String, _ account: UInt32) -> String {
    objectClass == .account && id == "\(account)" ? id : "\(account)/\(id)"
  }
}
