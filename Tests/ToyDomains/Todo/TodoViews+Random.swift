import EventStore
package import TestSupport

extension Todo {
  /// Returns views with random conditions, groups and orders, and the one that the reducer needs.
  package static func randomViews(using generator: inout SeededGenerator) -> TodoViews {
    var views = TodoViews(ofTasks: [views.list, TodoViews.open], ofLists: views.ofLists)
    for number in 0..<Int.random(in: 2...6, using: &generator) {
      views.ofTasks.append(
        PlainView(
          "random \(number)", of: tasks,
          where: PlainTask.condition(depth: 2, using: &generator),
          orderedBy: PlainTask.order(using: &generator),
          groupedBy: PlainTask.grouping(using: &generator)))
    }
    return views
  }
}

extension PlainTask {
  fileprivate static func condition(
    depth: Int, using generator: inout SeededGenerator
  ) -> PlainCondition<TodoTask> {
    guard depth > 0, generator.onceIn(2) else { return test(using: &generator) }
    let left = condition(depth: depth - 1, using: &generator)
    let right = condition(depth: depth - 1, using: &generator)
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return left && right
    case 1: return left || right
    default: return !left
    }
  }

  private static func test(using generator: inout SeededGenerator) -> PlainCondition<TodoTask> {
    let stock = TodoStock.standard
    switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1: return .always
    case 2: return isDone == generator.one(of: [nil, true, false])
    case 3: return due < generator.one(of: stock.dues)
    case 4: return due == nil
    case 5: return priority >= generator.one(of: stock.priorities)
    case 6: return title.hasPrefix(generator.one(of: stock.titles))
    case 7: return title > generator.one(of: stock.titles)
    case 8: return tags.intersects([generator.one(of: stock.tags), generator.one(of: stock.tags)])
    default: return list.isOne(of: Array(stock.lists.prefix(2)))
    }
  }

  fileprivate static func order(using generator: inout SeededGenerator) -> [PlainOrder<TodoTask>] {
    let bySize: @Sendable (Bool, Bool) -> Bool = { !$0 && $1 }
    let all = [
      title.ascending, title.descending, due.ascending, due.descending, priority.ascending,
      priority.descending, list.ascending, isDone.ascending(by: bySize),
      isDone.descending(by: bySize),
    ]
    return Array(all.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator)))
  }

  fileprivate static func grouping(
    using generator: inout SeededGenerator
  ) -> PlainGrouping<TodoTask>? {
    generator.one(of: [nil, nil, tags.groups, list.groups, title.groups])
  }
}
