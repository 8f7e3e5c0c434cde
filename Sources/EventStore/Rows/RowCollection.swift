/// A kind of rows and their fields.
///
///     let items = RowCollection("items", number: 1, Item.date, Item.title)
public struct RowCollection: Hashable, Sendable {
  /// The collection's name.
  public let name: String
  /// The collection's number within its store, which identifies the collection in stored bytes.
  public let number: UInt8
  /// The fields, in ascending order of their numbers.
  public let fields: [FieldDeclaration]
  /// The kinds of the fields.
  package let shape: RowShape

  /// Creates a collection of rows with these fields.
  ///
  /// - Precondition: No two fields share a name or a number.
  public init<each Value>(_ name: String, number: UInt8, _ fields: repeat Field<each Value>) {
    var declarations: [FieldDeclaration] = []
    repeat declarations.append((each fields).declaration)
    self.init(name, number: number, fields: declarations)
  }

  /// Creates a collection of rows with these fields.
  ///
  /// - Precondition: No two fields share a name or a number.
  public init(_ name: String, number: UInt8, fields: [FieldDeclaration]) {
    let numbers = Set(fields.map(\.number))
    precondition(numbers.count == fields.count, "two fields of \(name) share a number")
    precondition(
      Set(fields.map(\.name)).count == fields.count, "two fields of \(name) share a name")
    self.name = name
    self.number = number
    self.fields = fields.sorted { $0.number < $1.number }
    shape = RowShape(self.fields)
  }

  /// Returns the field with a name, if any.
  public func field(named name: String) -> FieldDeclaration? {
    fields.first { $0.name == name }
  }
}
