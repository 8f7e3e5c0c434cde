import Synchronization

/// A counter by which threads and tasks signal each other.
final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func add() { count.add(1, ordering: .sequentiallyConsistent) }
}
