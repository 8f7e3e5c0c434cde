/// A value that is made asynchronously when first needed.
final class Later<Value> {
  private var made: Value?
  private let make: () async throws -> Value

  init(_ make: @escaping () async throws -> Value) { self.make = make }

  /// Returns the value, and makes it if necessary.
  func value() async throws -> Value {
    if let made { return made }
    let value = try await make()
    made = value
    return value
  }
}
