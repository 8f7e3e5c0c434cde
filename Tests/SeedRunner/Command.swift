import Foundation

/// The command to run.
struct Command {
  /// The subject of the seeds.
  enum Kind: String { case histories, simulations }

  /// A mistake in the arguments, and how to correct it.
  struct Mistake: Error, CustomStringConvertible {
    let description =
      "takes 'histories' or 'simulations', then a seed, or the first and the last of several;"
      + " with these perhaps --seconds 120, behind which no other seed is begun, and --known 7,9,"
      + " the seeds that are known to be broken"
  }

  let kind: Kind
  let seeds: ClosedRange<UInt64>
  private(set) var seconds = 1_000_000.0
  /// Seeds that run and are reported, but that are known to be broken.
  private(set) var known: Set<UInt64> = []

  /// Whether to print the story of a single seed.
  let isStory: Bool

  init(_ arguments: [String]) throws(Mistake) {
    var rest = arguments
    while rest.count > 4 {
      let (option, value) = (rest[rest.count - 2], rest[rest.count - 1])
      let known = value.split(separator: ",").map { UInt64($0) }
      switch option {
      case "--seconds":
        guard let seconds = Double(value) else { throw Mistake() }
        self.seconds = seconds
      case "--known" where !known.contains(nil): self.known = Set(known.compactMap(\.self))
      default: throw Mistake()
      }
      rest.removeLast(2)
    }
    let numbers = rest.dropFirst().compactMap { UInt64($0) }
    guard let kind = rest.first.flatMap(Kind.init), numbers.count == rest.count - 1,
      let first = numbers.first, let last = numbers.last, first <= last, numbers.count < 3
    else { throw Mistake() }
    (self.kind, seeds, isStory) = (kind, first...last, numbers.count == 1)
  }
}

extension Command {
  /// Returns the combined result of all seeds, running as many at once as the processor count.
  func tally(
    _ trial: @escaping @Sendable (UInt64) async throws -> Tally
  ) async throws -> Tally {
    let count = ProcessInfo.processInfo.activeProcessorCount
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    return try await withThrowingTaskGroup { group in
      for first in seeds.prefix(count) {
        group.addTask {
          var tally = Tally()
          for seed in stride(from: first, through: seeds.upperBound, by: count) {
            guard clock.now < end else { break }
            tally.add(try await trial(seed))
          }
          return tally
        }
      }
      return try await group.reduce(into: Tally()) { $0.add($1) }
    }
  }
}
