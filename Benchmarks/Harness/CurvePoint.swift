/// The place of a case in a chart of cost by size.
package struct CurvePoint: Sendable, Hashable {
  /// The role of a curve.
  package enum Role: Sendable, Hashable {
    /// The curve under judgment.
    case own
    /// The cost of a peer.
    case peer
    /// The least possible cost.
    case limit
  }

  /// The name of the curve with the point.
  package let curve: String
  package let role: Role
  /// The size at which the case ran.
  package let size: Int

  package init(_ curve: String, _ role: Role, at size: Int) {
    self.curve = curve
    self.role = role
    self.size = size
  }
}
