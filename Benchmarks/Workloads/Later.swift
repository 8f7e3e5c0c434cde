/// What is made when it is first asked for, and takes its time.
final class Later<Value> {
  private var made: Value?
  private let make: () async throws -> Value

  init(_ make: @escaping () async throws -> Value) { self.make = make }

  /// The value, made now where it has not been.
  func value() async throws -> Value {
    if let made { return made }
    let value = try await make()
    made = value
    return value
  }
}
