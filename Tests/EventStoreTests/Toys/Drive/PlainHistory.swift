import EventStore
import ToyDomains

/// A timeline that makes each of its lists once.
struct PlainHistory<Model: ToyModel> {
  private(set) var timeline: Timeline<Model>
  /// The models whose lists were asked for, by number.
  private var known: [Int: (model: Model, lists: [PaneList: [Row]])] = [:]
  private static var knownMax: Int { 16 }

  init(_ empty: Model) { timeline = Timeline(empty) }

  var count: Int { timeline.count }

  mutating func append(_ happenings: [Model.Happening]) {
    for happening in happenings { timeline.append(happening) }
  }

  /// Returns what a pane shows after an event.
  mutating func sight(of pane: Pane, at number: Int) -> Sight {
    pane.sight(of: rows(of: pane, at: number))
  }

  /// Returns the row that an id finds after an event.
  mutating func row(_ id: String, at number: Int) -> Row? {
    if let entry = known[number] { return entry.model.row(id) }
    if known.count > Self.knownMax { known = known.filter { $0.key == count } }
    known[number] = (timeline.model(at: number), [:])
    return known[number]?.model.row(id)
  }

  /// Returns the rows of a pane's whole list after an event.
  mutating func rows(of pane: Pane, at number: Int) -> [Row] {
    if let rows = known[number]?.lists[pane.list] { return rows }
    if known.count > Self.knownMax { known = known.filter { $0.key == count } }
    var entry = known[number] ?? (timeline.model(at: number), [:])
    let rows = entry.model.rows(in: pane.view, group: pane.group)
    entry.lists[pane.list] = rows
    known[number] = entry
    return rows
  }
}
