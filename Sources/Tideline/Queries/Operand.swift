import EventStore

/// What a part of a predicate comes to.
enum Operand {
  /// The object that the predicate is asked of.
  case object
  /// A value that is the same for all objects.
  case constant(Any)
  /// The value of a property.
  case column(Column)
  /// True or false.
  case truth(Bounds)
  /// True or false where the first is true, and otherwise `nil`.
  case optional(Bounds, Bounds)
  /// What no condition can say, and why.
  case unknown(String)

  /// What is known of an operand that is true or false.
  var truth: Bounds {
    switch self {
    case .truth(let bounds): bounds
    case .constant(let value):
      (unwrapped(value) as? Bool).map(Bounds.constant) ?? .unknown("constant")
    case .column(let column) where column.type is Bool.Type: column.bounds(.equal, true)
    case .optional(let present, let truth): present && truth
    case .column(let column): .unknown("value of \(column.field.name)")
    case .object: .unknown("the object itself")
    case .unknown(let reason): .unknown(reason)
    }
  }

  /// The operand as a truth that may be `nil`, if it is one.
  var optional: (present: Bounds, truth: Bounds)? {
    switch self {
    case .truth(let bounds): (.always, bounds)
    case .optional(let present, let truth): (present, truth)
    case .column(let column) where column.type is Bool.Type:
      (column.absent == nil ? column.presence : .always, column.bounds(.equal, true))
    case .constant(let value):
      switch unwrapped(value) {
      case nil: (.never, .never)
      case let truth as Bool: (.always, .constant(truth))
      default: nil
      }
    default: nil
    }
  }

  var isTruth: Bool {
    switch self {
    case .truth, .optional: true
    case .column(let column): column.type is Bool.Type
    default: false
    }
  }

  var reason: String? { if case .unknown(let reason) = self { reason } else { nil } }
}

/// A value without the optionals around it, or `nil`.
func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.content.flatMap(unwrapped)
}

private protocol OptionalValue { var content: Any? { get } }

extension Optional: OptionalValue {
  fileprivate var content: Any? { map { $0 } }
}
