import LMDB

/// Which list: a view, or one of its groups.
///
/// As text it is the view's name, then for one with groups a colon and the group's value, with the
/// value of the field that divides the groups and a slash before it: `unread inbox:1`,
/// `threads by tag:1/inbox`.
public struct ListName: Sendable, Hashable {
  /// The value that a group is for.
  public enum Group: Sendable, Hashable {
    /// A text, or one of several.
    case text(String)
    /// An integer, or another value of fixed size by the bits that it is kept as.
    case number(Int64)
    /// No value.
    case none
  }

  /// The view's name.
  public let view: String
  /// The group; `nil` where the view has no groups.
  public let group: Group?
  /// The value of the field that divides the groups, where one does.
  public let scope: Int64?

  /// A list.
  public init(_ view: String, group: Group? = nil, scope: Int64? = nil) {
    (self.view, self.group, self.scope) = (view, group, scope)
  }

  /// The list that a text names among those of some views; `nil` where it names none.
  public init?(_ text: String, among views: [ViewDefinition]) {
    let named = views.filter { text == $0.name || text.hasPrefix("\($0.name):") }
    guard let view = named.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else { return nil }
    let rest =
      text.utf8.count == view.name.utf8.count
      ? nil : String(text.dropFirst(view.name.count + 1))
    guard let grouping = view.grouping else {
      guard rest == nil else { return nil }
      self.init(view.name)
      return
    }
    guard var value = rest else { return nil }
    var scope: Int64?
    if view.scope != nil {
      let parts = value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let number = Int64(parts[0]) else { return nil }
      (scope, value) = (number, String(parts[1]))
    }
    guard let group = Group(value, grouping.kind) else { return nil }
    self.init(view.name, group: group, scope: scope)
  }
}

extension ListName.Group {
  fileprivate init?(_ text: String, _ kind: FieldKind) {
    switch kind {
    case .text, .texts: self = .text(text)
    default:
      guard let number = Int64(text) else { return nil }
      self = .number(number)
    }
  }
}

extension ListName: CustomStringConvertible {
  /// The list as text that names it.
  public var description: String {
    guard let group else { return view }
    let value =
      switch group {
      case .text(let text): text
      case .number(let number): String(number)
      case .none: ""
      }
    return "\(view):\(scope.map { "\($0)/" } ?? "")\(value)"
  }
}

extension ViewPlan {
  /// The word of a list's group.
  func word(of list: ListName) -> UInt64 {
    guard isGrouped, let group = list.group else { return 0 }
    return switch group {
    case .text(let text): self.group(of: text, within: list.scope)
    case .number(let number): self.group(slot: number, within: list.scope)
    case .none: self.group(slot: nil, within: list.scope)
    }
  }

  /// The lists that a row stands in, where it belongs to the view.
  func lists(of row: Row) -> [ListName] { lists(of: row.view) { _ in true }.map(\.name) }

  /// Those of the lists that a row stands in, where it belongs to the view, whose groups' words are
  /// wanted: others are not named.
  func lists(
    of row: RowView, where isWanted: (_ word: UInt64) -> Bool
  ) -> [(name: ListName, word: UInt64)] {
    guard matches(row) else { return [] }
    guard let grouping else { return isWanted(0) ? [(ListName(definition.name), UInt64.zero)] : [] }
    let scope = scope.map { $0.shownNumber(of: row) ?? 0 }
    let seed = scope.map { self.seed(within: UInt64(bitPattern: $0)) } ?? self.seed
    if grouping.kind == .texts { return lists(ofTextsIn: row, scope, seed, isWanted) }
    let (group, word) = group(of: row, by: grouping, seed)
    return isWanted(word) ? [(ListName(definition.name, group: group, scope: scope), word)] : []
  }

  private func lists(
    ofTextsIn row: RowView, _ scope: Int64?, _ seed: UInt64, _ isWanted: (UInt64) -> Bool
  ) -> [(name: ListName, word: UInt64)] {
    guard let grouping, row.has(grouping.index) else { return [] }
    var lists: [(name: ListName, word: UInt64)] = []
    var texts = TextList(row.variable(grouping.index))
    while let text = texts.next() {
      let word = group(of: text, seed)
      guard isWanted(word) else { continue }
      let group = ListName.Group.text(text.text ?? "")
      lists.append((ListName(definition.name, group: group, scope: scope), word))
    }
    return lists
  }

  private func group(
    of row: RowView, by field: KeyField, _ seed: UInt64
  ) -> (group: ListName.Group, word: UInt64) {
    if field.kind == .text, row.has(field.index) {
      let text = row.variable(field.index)
      return (.text(text.text ?? ""), group(of: text, seed))
    }
    guard let number = field.shownNumber(of: row) else { return (.none, noValue(seed)) }
    return (.number(number), group(of: UInt64(bitPattern: number), seed))
  }
}

extension KeyField {
  /// The value that is kept in the slot itself, where it is shown and there is one.
  fileprivate func shownNumber(of row: RowView) -> Int64? {
    switch kind {
    case .integer, .timestamp, .boolean, .double:
      row.has(index) ? Int64(bitPattern: row.slot(index)) : nil
    case .text, .texts, .reference, .link: nil
    }
  }
}
