extension Condition {
  /// How many tests of a field it comes to in its normal form.
  ///
  /// - Complexity: O(n log n) in its size.
  public var testCount: Int { NormalCondition(self).testCount }
}

extension Row {
  /// Whether the row meets a condition of its collection.
  ///
  /// The condition is prepared each time: for many rows, a view is the better way.
  ///
  /// - Precondition: The condition has at most ``ViewDefinition/testCountMax`` tests.
  public func meets(_ condition: Condition) -> Bool {
    ConditionProgram(NormalCondition(condition)).matches(view)
  }
}

extension ViewDefinition {
  /// The tests that a view's condition may come to.
  public static let testCountMax = ConditionProgram.stepCountMax

  /// What the view does, in lines for people to read.
  public var explanation: String { ViewPlan(self, seed: 0).explanation }
}
