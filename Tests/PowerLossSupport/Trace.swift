/// Everything a workload did to its files, in the order the system saw it.
package struct Trace: Hashable, Sendable {
  package var operations: [Operation]

  package init(_ operations: [Operation]) { self.operations = operations }

  /// The indices of the operations that flush something.
  package var flushes: [Int] { operations.indices.filter { operations[$0].isFlush } }

  /// How often something was acknowledged.
  package var acknowledgementCount: Int {
    operations.count { if case .acknowledge = $0 { true } else { false } }
  }
}
