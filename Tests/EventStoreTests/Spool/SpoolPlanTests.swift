import EventStore
import Testing

/// Every interleaving of two drains, their crashes, and arriving files.
@Suite struct SpoolPlanTests {
  /// Where a drain is in its round.
  private enum Step: Hashable {
    case lists
    case asks(names: [String])
    case removes(names: [String], remembered: [String], left: [String])
    case reads(names: [String], removed: [String])
    case commits(read: [String], removed: [String])
  }

  private struct Drain: Hashable {
    var step = Step.lists
    var roundsLeft: Int
  }

  private struct World: Hashable {
    var arriving: [String]
    var present: Set<String> = []
    var remembered: [String] = []
    var records: [String] = []
    var drains: [Drain]
  }

  @Test func everyInterleaving_drainsEachFileOnce() {
    let files = ["a", "b"]
    var unvisited = [
      World(arriving: files, drains: [Drain(roundsLeft: 3), Drain(roundsLeft: 2)])
    ]
    var known = Set(unvisited)
    while let world = unvisited.popLast() {
      if settled(world).records.sorted() != files {
        Issue.record("not each once: \(settled(world)) after \(world)")
        return
      }
      for next in successors(of: world) where known.insert(next).inserted {
        unvisited.append(next)
      }
    }
    // Enough worlds for each step of one drain to have met each step of the other.
    #expect(known.count > 1000)
  }

  private func successors(of world: World) -> [World] {
    var successors: [World] = []
    if let name = world.arriving.first {
      var next = world
      next.arriving.removeFirst()
      next.present.insert(name)
      successors.append(next)
    }
    for index in world.drains.indices where world.drains[index].roundsLeft > 0 {
      var (next, crashed) = (world, world)
      advance(&next, index)
      crashed.drains[index] = Drain(roundsLeft: world.drains[index].roundsLeft - 1)
      successors += [next, crashed]
    }
    return successors
  }

  private func advance(_ world: inout World, _ index: Int) {
    switch world.drains[index].step {
    case .lists:
      world.drains[index].step = .asks(names: world.present.sorted())
    case .asks(let names):
      let remembered = world.remembered
      world.drains[index].step = .removes(names: names, remembered: remembered, left: remembered)
    case .removes(let names, let remembered, let left):
      if let first = left.first {
        world.present.remove(first)
        world.drains[index].step = .removes(
          names: names, remembered: remembered, left: Array(left.dropFirst()))
      } else {
        world.drains[index].step = .reads(
          names: names.filter { !remembered.contains($0) }, removed: remembered)
      }
    case .reads(let names, let removed):
      world.drains[index].step = .commits(
        read: names.filter(world.present.contains), removed: removed)
    case .commits(let read, let removed):
      let plan = SpoolPlan(
        read: read, remembered: world.remembered, removed: Set(removed),
        isThere: world.present.contains)
      world.records += read.filter(plan.appended.contains)
      world.remembered = plan.remembered
      world.drains[index] = Drain(roundsLeft: world.drains[index].roundsLeft - 1)
    }
  }

  /// Returns the world once all files have arrived and a drain has run alone.
  private func settled(_ world: World) -> World {
    var world = world
    world.present.formUnion(world.arriving)
    world.arriving = []
    world.drains = [Drain(roundsLeft: 2)]
    while world.drains[0].roundsLeft > 0 { advance(&world, 0) }
    return world
  }
}
