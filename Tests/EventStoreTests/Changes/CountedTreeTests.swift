import EventStore
import TestSupport
import Testing

/// A counted tree always equals an array with the same edits.
@Suite struct CountedTreeTests {
  @Test func build_hasAllElements() {
    for count in 0..<200 {
      let tree = CountedTree(0..<count)
      tree.checkInvariants()
      #expect((0..<tree.count).map { tree[$0] } == Array(0..<count))
    }
  }

  @Test func edits_areThoseOfAnArray() {
    for seed in 0..<UInt64(Campaign.size(20, long: 2000)) {
      var random = SeededGenerator(seed: seed)
      var tree = CountedTree<Int>()
      var model: [Int] = []
      let target = Int.random(in: 1...400, using: &random)
      for step in 0..<300 {
        Self.edit(&tree, &model, step, target, &random)
        if step % 8 == 0 { tree.checkInvariants() }
      }
      tree.checkInvariants()
      #expect((0..<tree.count).map { tree[$0] } == model, "seed \(seed)")
    }
  }

  private static func edit(
    _ tree: inout CountedTree<Int>, _ model: inout [Int], _ step: Int, _ target: Int,
    _ random: inout SeededGenerator
  ) {
    let index = Int.random(in: 0...model.count, using: &random)
    let grows = Int.random(in: 0..<2 * target, using: &random) >= model.count
    switch random.next() % 4 {
    case 0 where index < model.count:
      tree[index] = step
      model[index] = step
    case _ where grows || index == model.count:
      tree.insert(step, at: index)
      model.insert(step, at: index)
    default: #expect(tree.remove(at: index) == model.remove(at: index))
    }
  }

  @Test func copy_staysAsItWas() {
    var random = SeededGenerator(seed: 1)
    var tree = CountedTree(0..<200)
    var model = Array(0..<200)
    var copies: [(CountedTree<Int>, [Int])] = []
    for step in 0..<200 {
      copies.append((tree, model))
      Self.edit(&tree, &model, step, 200, &random)
    }
    for (tree, model) in copies {
      tree.checkInvariants()
      #expect((0..<tree.count).map { tree[$0] } == model)
    }
  }

  @Test func emptied_isAsNew() {
    var tree = CountedTree(0..<100)
    for left in (0..<100).reversed() {
      tree.remove(at: left / 2)
      tree.checkInvariants()
      #expect(tree.count == left)
    }
    tree.insert(1, at: 0)
    #expect(tree[0] == 1)
  }
}
