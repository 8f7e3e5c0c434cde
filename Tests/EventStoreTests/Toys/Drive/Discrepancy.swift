/// How a store differs from what it must be.
struct Discrepancy: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Throws unless a condition holds.
  static func require(
    _ condition: Bool, _ description: @autoclosure () -> String
  ) throws(Discrepancy) {
    if !condition { throw Discrepancy(description()) }
  }
}
