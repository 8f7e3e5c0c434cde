/// All operations of a workload on its files, in the order the system saw them.
package struct Trace: Hashable, Sendable {
  package var operations: [Operation]

  package init(_ operations: [Operation]) { self.operations = operations }

  /// The indices of the operations that flush.
  package var flushes: [Int] { operations.indices.filter { operations[$0].isFlush } }

  /// The number of acknowledgements, without remarks.
  package var acknowledgementCount: Int {
    operations.count {
      if case .acknowledge(let bytes) = $0 { bytes.first != UInt8(ascii: "#") } else { false }
    }
  }
}

extension Trace {
  /// The remark after which some flushes may be unneeded, as the workload explains.
  package static let unjudgedLine = "# unjudged"
  /// The remark after which every flush is needed again.
  package static let judgedLine = "# judged"

  /// The positions, among all flushes, of those that the workload declares needed.
  package var judgedFlushes: [Int] {
    var numbers: [Int] = []
    var (count, isJudged) = (0, true)
    for operation in operations {
      if operation == .acknowledge(Array("\(Self.unjudgedLine)\n".utf8)) { isJudged = false }
      if operation == .acknowledge(Array("\(Self.judgedLine)\n".utf8)) { isJudged = true }
      guard operation.isFlush else { continue }
      if isJudged { numbers.append(count) }
      count += 1
    }
    return numbers
  }
}
