package import EventStore

extension EventCatalog {
  /// Returns the name of a field in events of a kind, by the path of numbers that leads to it.
  ///
  /// Tools that show records as JSON use these names; no two fields of one object share a name.
  package static func name(of path: [Int], in kind: EventKind) -> String? {
    guard let first = path.first else { return nil }
    let shape = shape(of: kind)
    if first <= ObjectField.numberMax, shape?.hasObject ?? (ObjectClass(kind) != nil) {
      return ObjectField.name(of: path[...])
    }
    return shape.flatMap { name(of: path[...], among: $0.fields) }
  }

  /// Returns the fields of events of a kind, or `nil` if the kind has no type of its own.
  package static func shape(of kind: EventKind) -> EventShape? {
    guard let type = type(of: kind) else { return nil }
    return EventShape(of: type)
  }

  fileprivate static func name(
    of path: ArraySlice<Int>, among fields: [EventShape.Field]
  ) -> String? {
    guard let field = fields.first(where: { $0.number == path.first }) else { return nil }
    let rest = path.dropFirst()
    return rest.isEmpty ? field.name : name(of: rest, among: field.parts)
  }
}

extension ObjectField {
  /// Returns the name of a field, by the path of numbers that leads to it from an object.
  fileprivate static func name(of path: ArraySlice<Int>) -> String? {
    guard let field = path.first.flatMap(ObjectField.init(rawValue:)) else { return nil }
    let rest = path.dropFirst()
    guard !rest.isEmpty else { return field.name }
    return switch field.content {
    case .people: EventCatalog.name(of: rest, among: ObjectPerson.parts)
    case .labels: EventCatalog.name(of: rest, among: ObjectLabel.parts)
    case .files: name(of: rest)
    default: nil
    }
  }
}
