/// The list of fields of an event, or of a part of one.
package struct EventShape: EventCoder, Hashable, Sendable {
  /// A listed field.
  package struct Field: Hashable, Sendable {
    /// The number of the field.
    package let number: Int
    /// The name of the field.
    package let name: String
    /// The type of the field, for display.
    package let type: String
    /// Whether an event can't be read without the field.
    package let isRequired: Bool
    /// The fields within the field, or within its items.
    package let parts: [Field]
  }

  /// The fields, except those of an object.
  package private(set) var fields: [Field] = []
  /// Whether an object's fields come before them.
  package private(set) var hasObject = false

  /// Creates the list of fields of a type.
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
