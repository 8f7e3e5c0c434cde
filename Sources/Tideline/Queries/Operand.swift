import EventStore

/// The meaning of a part of a predicate.
enum Operand {
  /// The object that the predicate tests.
  case object
  /// A value that is the same for all objects.
  case constant(Any)
  /// The value of a property.
  case column(Column)
  /// A Boolean.
  case truth(Bounds)
  /// An optional Boolean: bounds of its presence and of its value.
  case optional(Bounds, Bounds)
  /// Not expressible as a condition; the reason why.
  case unknown(String)

  /// The bounds of an operand used as a Boolean.
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

  /// The operand as an optional Boolean, if it is one.
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

/// Returns a value without its surrounding optionals, or `nil`.
func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.content.flatMap(unwrapped)
}

private protocol OptionalValue { var content: Any? { get } }

extension Optional: OptionalValue {
  fileprivate var content: Any? { map { $0 } }
}
