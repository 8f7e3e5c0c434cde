/// Lists the fields of an event or a part of one.
package struct EventShape: EventCoder, Hashable, Sendable {
  /// A field as it is listed.
  package struct Field: Hashable, Sendable {
    /// Its number.
    package let number: Int
    /// Its name.
    package let name: String
    /// What it holds, for people.
    package let type: String
    /// Whether an event without it can't be read.
    package let isRequired: Bool
    /// The fields within it, or within its items.
    package let parts: [Field]
  }

  /// The fields, but for those of an object.
  package private(set) var fields: [Field] = []
  /// Whether fields of an object come before them.
  package private(set) var hasObject = false

  /// The shape of the parts of a type.
  package init<Part: EventPart>(of type: Part.Type) {
    var part = Part()
    part.code(&self)
  }

  package mutating func code<Value: EventValue>(
    _ number: Int, _ name: String, _ value: inout Value
  ) {
    let isRequired = Value.absent == nil
    fields.append(
      Field(
        number: number, name: name, type: Value.typeName, isRequired: isRequired,
        parts: Value.parts))
  }

  package mutating func code(object: inout ObjectFields) { hasObject = true }
}
