/// A mistake of a storage engine, put into the trace of an engine that does not make it.
///
/// A power-loss test that misses the mutation proves nothing.
package enum Mutation: Hashable, Sendable {
  /// Drops the flush with that index among the trace's flushes.
  case dropsFlush(Int)
  /// Lets durable writes return before they are durable.
  case defersDurableWrites
}

extension Mutation: CustomStringConvertible {
  /// The description of the mistake.
  package var description: String {
    switch self {
    case .dropsFlush(let number): "flush \(number) dropped"
    case .defersDurableWrites: "durable writes deferred"
    }
  }
}

extension Trace {
  /// Returns the trace of an engine that makes this mistake.
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
