import LMDB

/// The name of a list: a view, or one of its groups.
///
///     store.live("open", window: 0..<50)
///     store.live(ListName("tagged", group: .text("home")), window: 0..<50)
///
/// The text form is the view's name, followed in grouped views by a colon and the group's value,
/// which the scope's value and a slash precede in divided groups: `unread inbox:1`, `threads by
/// tag:1/inbox`.
public struct ListName: Sendable, Hashable {
  /// The value that a group stands for.
  ///
  /// Two texts are the same value only if their bytes are equal; texts that merely read the same
  /// may form two groups.
  public enum Group: Sendable {
    /// A text, or one of several texts.
    case text(String)
    /// An integer, or the bits of another fixed-size value.
    case number(Int64)
    /// No value.
    case noValue
  }

  /// The view's name.
  public let view: String
  /// The group; `nil` if the view has no groups.
  public let group: Group?
  /// The value of the field that divides the groups, if one does.
  public let scope: Int64?

  /// Creates the name of a list.
  public init(_ view: String, group: Group? = nil, scope: Int64? = nil) {
    (self.view, self.group, self.scope) = (view, group, scope)
  }

  /// Parses a text, such as user input, as the name of a list of one of the given views; `nil` if
  /// it names none.
  public init?(_ text: String, among views: [ViewDefinition]) {
    // By bytes, as a mark at the start of a group is one character with what precedes it.
    let bytes = text.utf8
    let named = views.filter {
      bytes.elementsEqual($0.name.utf8) || bytes.starts(with: "\($0.name):".utf8)
    }
    guard let view = named.max(by: { $0.name.utf8.count < $1.name.utf8.count }) else { return nil }
    let isWhole = bytes.count == view.name.utf8.count
    guard let grouping = view.grouping else {
      guard isWhole else { return nil }
      self.init(view.name)
      return
    }
    guard !isWhole else { return nil }
    var value = bytes.dropFirst(view.name.utf8.count + 1)
    var scope: Int64?
    if view.scope != nil {
      guard let slash = value.firstIndex(of: UInt8(ascii: "/")),
        let number = Int64(Substring(value[..<slash]))
      else { return nil }
      (scope, value) = (number, value[slash...].dropFirst())
    }
    guard let group = Group(String(Substring(value)), grouping.kind) else { return nil }
    self.init(view.name, group: group, scope: scope)
  }
}

extension ListName.Group: Hashable {
  /// Whether two groups stand for the same value.
  public static func == (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.number(let a), .number(let b)): a == b
    case (.noValue, .noValue): true
    default: false
    }
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): hasher.combine(text.withBytes { Mixer.hash($0) })
    case .number(let number): hasher.combine(number)
    case .noValue: hasher.combine(0)
    }
  }
}

extension ListName {
  /// Whether this list comes before another of the same view when both are reported: by the scope's
  /// value, and then by the group's.
  func precedes(_ other: ListName) -> Bool {
    guard scope == other.scope else { return scope ?? .min < other.scope ?? .min }
    return switch (group, other.group) {
    case (.text(let left)?, .text(let right)?): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.number(let left)?, .number(let right)?): left < right
    default: kind < other.kind
    }
  }

  private var kind: Int {
    switch group {
    case nil, .noValue?: 0
    case .number?: 1
    case .text?: 2
    }
  }
}

extension ListName: ExpressibleByStringLiteral {
  /// The list of a view without groups, by the view's name.
  public init(stringLiteral view: String) { self.init(view) }
}

extension ListName.Group {
  /// The group of a value, or of rows without one; in a field of several texts, each text has its
  /// own group.
  ///
  /// - Precondition: The type is a fixed-size value or a text.
  public init<Value: FieldValue>(_ value: Value?) {
    precondition(
      Value.fieldKind != .texts && Value.fieldKind != .reference,
      "there are no groups by \(Value.self)")
    guard let value else {
      self = .noValue
      return
    }
    self =
      Value.fieldKind == .text ? .text(value.text) : .number(Int64(bitPattern: value.word))
  }

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
  /// The text form of the name.
  public var description: String { groupText.map { "\(view):\($0)" } ?? view }

  /// The part of the text form that names the group; `nil` if the view has no groups.
  var groupText: String? {
    guard let group else { return nil }
    let value =
      switch group {
      case .text(let text): text
      case .number(let number): String(number)
      case .noValue: ""
      }
    return (scope.map { "\($0)/" } ?? "") + value
  }

  /// A key for the group that doesn't depend on the store's secret; empty if the view has no
  /// groups.
  package var groupKey: String {
    guard let group else { return "" }
    let value =
      switch group {
      case .text(let text): text.isEmpty ? "=0" : "+\(text)"
      case .number(let number): "=\(UInt64(bitPattern: number))"
      case .noValue: "-"
      }
    return (scope.map { "\($0)/" } ?? "") + value
  }
}

extension ViewPlan {
  /// Returns the word of a list's group; 0 if the view has no groups.
  ///
  /// - Precondition: The list has a group of a suitable value if the view is grouped, and a scope
  ///   if its groups are divided.
  package func word(of list: ListName) -> UInt64 {
    precondition(
      isGrouped == (list.group != nil),
      isGrouped ? "\(list.view) is grouped: say which group" : "\(list.view) has no groups")
    precondition(
      (scope == nil) == (list.scope == nil), "view \(list.view) is divided, or is not")
    guard let group = list.group else { return 0 }
    let seed = list.scope.map { self.seed(within: UInt64(bitPattern: $0)) } ?? seed
    switch group {
    case .text(let text):
      require(isGroupedByText, list)
      return text.withBytes { self.group(of: $0, seed) }
    case .number(let number):
      require(!isGroupedByText, list)
      return self.group(of: UInt64(bitPattern: number), seed)
    case .noValue: return noValue(seed)
    }
  }

  private var isGroupedByText: Bool { grouping?.kind == .texts || grouping?.kind == .text }

  private func require(_ hasSuchGroups: Bool, _ list: ListName) {
    precondition(hasSuchGroups, "view \(list.view) has no groups by such values")
  }

  /// Returns the lists that contain a row; none if it doesn't belong to the view.
  func lists(of row: Row) -> [ListName] {
    guard matches(row.view) else { return [] }
    var lists: [ListName] = []
    forEachGroup(of: row.view) { _, scope, group in
      lists.append(ListName(definition.name, group: group(), scope: scope))
    }
    return lists
  }

  /// Returns the list of a group that contains a row of the view; `nil` if none of the row's
  /// visible values is the group's.
  func list(ofGroup word: UInt64, with row: RowView) -> ListName? {
    guard isGrouped else { return ListName(definition.name) }
    var list: ListName?
    forEachGroup(of: row) { known, scope, group in
      guard known == word, list == nil else { return }
      list = ListName(definition.name, group: group(), scope: scope)
    }
    return list
  }

  /// Calls `body` with each of a row's groups: its word, the value that divides the groups, and a
  /// closure that makes the group's own value.
  private func forEachGroup(
    of row: RowView, _ body: (UInt64, Int64?, () -> ListName.Group?) -> Void
  ) {
    guard let grouping else { return body(0, nil) { nil } }
    let scope = scope.map { $0.shownNumber(of: row) ?? 0 }
    let seed = scope.map { self.seed(within: UInt64(bitPattern: $0)) } ?? self.seed
    switch grouping.kind {
    case .texts where row.has(grouping.index):
      var texts = TextList(row.variable(grouping.index))
      while let text = texts.next() {
        body(group(of: text, seed), scope) { .text(text.text ?? "") }
      }
    case .texts: break
    case .text where row.has(grouping.index):
      let text = row.variable(grouping.index)
      body(group(of: text, seed), scope) { .text(text.text ?? "") }
    default:
      let number = grouping.shownNumber(of: row)
      let word = number.map { group(of: UInt64(bitPattern: $0), seed) } ?? noValue(seed)
      body(word, scope) { number.map(ListName.Group.number) ?? .noValue }
    }
  }
}

extension KeyField {
  /// Returns the value in the slot, if it is a visible number and present.
  fileprivate func shownNumber(of row: RowView) -> Int64? {
    switch kind {
    case .integer, .timestamp, .boolean, .double:
      row.has(index) ? Int64(bitPattern: row.slot(index)) : nil
    case .text, .texts, .reference, .link: nil
    }
  }
}
