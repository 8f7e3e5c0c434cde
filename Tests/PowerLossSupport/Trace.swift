/// Everything a workload did to its files, in the order the system saw it.
package struct Trace: Hashable, Sendable {
  package var operations: [Operation]

  package init(_ operations: [Operation]) { self.operations = operations }

  /// The indices of the operations that flush something.
  package var flushes: [Int] { operations.indices.filter { operations[$0].isFlush } }

  /// How often something was acknowledged.
  package var acknowledgementCount: Int {
    operations.count {
      if case .acknowledge(let bytes) = $0 { bytes.first != UInt8(ascii: "#") } else { false }
    }
  }
}

extension Trace {
  /// The remark after which several promises are made at the same time.
  package static let togetherLine = "# together"
  /// The remark after which each promise is made before anything else is done.
  package static let inTurnLine = "# in turn"

  /// The numbers, among the flushes, of those that a promise must have waited for.
  ///
  /// Where promises are made at the same time, one may be told so late that the flush for the next
  /// has covered it: then dropping its own loses nothing.
  package var flushesInTurn: [Int] {
    var numbers: [Int] = []
    var (count, isInTurn) = (0, true)
    for operation in operations {
      if case .acknowledge(Array("\(Self.togetherLine)\n".utf8)) = operation { isInTurn = false }
      if case .acknowledge(Array("\(Self.inTurnLine)\n".utf8)) = operation { isInTurn = true }
      guard operation.isFlush else { continue }
      if isInTurn { numbers.append(count) }
      count += 1
    }
    return numbers
  }
}
