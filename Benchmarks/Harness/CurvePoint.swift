/// Where a case stands in a picture of how cost follows size.
package struct CurvePoint: Sendable, Hashable {
  /// What a curve is of.
  package enum Role: Sendable, Hashable {
    /// What is judged.
    case own
    /// What others need.
    case peer
    /// What nothing can do with less than.
    case limit
  }

  /// The name of the curve that the point is on.
  package let curve: String
  package let role: Role
  /// The size.
  package let size: Int

  package init(_ curve: String, _ role: Role, at size: Int) {
    self.curve = curve
    self.role = role
    self.size = size
  }
}
