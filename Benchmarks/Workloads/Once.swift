/// A value that is made when first needed, so that skipped cases cost no setup.
final class Once<Value> {
  private var made: Value?
  private let make: () throws -> Value

  init(_ make: @escaping () throws -> Value) { self.make = make }

  /// Returns the value, and makes it if necessary.
  func value() throws -> Value {
    if let made { return made }
    let value = try make()
    made = value
    return value
  }
}
