extension Condition {
  /// The number of field tests in the condition's normal form.
  ///
  /// - Complexity: O(n log n) in the size of the condition.
  public var testCount: Int { NormalCondition(self).testCount }

  /// The fields that the condition refers to.
  package var fields: Set<FieldDeclaration> {
    switch term {
    case .constant: []
    case .isPresent(let field), .comparison(let field, _, _), .isOneOf(let field, _),
      .hasPrefix(let field, _), .intersects(let field, _):
      [field]
    case .all(let parts), .any(let parts): parts.reduce(into: []) { $0.formUnion($1.fields) }
    case .not(let condition): condition.fields
    }
  }
}
