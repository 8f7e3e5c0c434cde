/// A mistake of a storage engine, made in the trace of one that does not make it.
///
/// A test of power loss that does not notice it notices nothing.
package enum Mutation: Hashable, Sendable {
  /// The flush of that index among the trace's flushes did not happen.
  case dropsFlush(Int)
  /// Durable writes return before they are durable.
  case defersDurableWrites
}

extension Mutation: CustomStringConvertible {
  /// What is done wrong.
  package var description: String {
    switch self {
    case .dropsFlush(let number): "flush \(number) dropped"
    case .defersDurableWrites: "durable writes deferred"
    }
  }
}

extension Trace {
  /// The trace of an engine that makes this mistake.
  package func mutated(by mutation: Mutation) -> Trace {
    var mutated = self
    switch mutation {
    case .dropsFlush(let number): mutated.dropFlush(at: flushes[number])
    case .defersDurableWrites:
      for index in operations.indices { mutated.defer(at: index) }
    }
    return mutated
  }

  private mutating func dropFlush(at index: Int) {
    if case .write = operations[index] { return self.defer(at: index) }
    operations.remove(at: index)
  }

  private mutating func `defer`(at index: Int) {
    guard case .write(let node, let offset, let bytes, _) = operations[index] else { return }
    operations[index] = .write(node, offset: offset, bytes: bytes, durable: false)
  }
}
