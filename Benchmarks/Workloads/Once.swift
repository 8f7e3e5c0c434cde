/// What is made when it is first asked for: cases that are left out then cost no setting up.
final class Once<Value> {
  private var made: Value?
  private let make: () throws -> Value

  init(_ make: @escaping () throws -> Value) { self.make = make }

  /// The value, made now where it has not been.
  func value() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}
