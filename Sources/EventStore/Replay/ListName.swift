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
  func lists(of row: Row) -> [ListName] {
    guard matches(row.view) else { return [] }
    let name = definition.name
    guard let grouping = definition.grouping else { return [ListName(name)] }
    let scope = definition.scope.map { field -> Int64 in
      if case .integer(let value)? = row.value(of: field) { value } else { 0 }
    }
    return ListName.Group.all(of: grouping, row).map {
      ListName(name, group: $0, scope: scope)
    }
  }
}

extension ListName.Group {
  /// The groups by a field that a row is in.
  fileprivate static func all(of field: FieldDeclaration, _ row: Row) -> [ListName.Group] {
    switch row.value(of: field) {
    case .list(let texts)?:
      texts.compactMap { if case .text(let text) = $0 { .text(text) } else { nil } }
    case .text(let text)?: [.text(text)]
    case .integer(let number)?: [.number(number)]
    case .boolean(let flag)?: [.number(flag ? 1 : 0)]
    case .double(let double)?: [.number(Int64(bitPattern: double.bitPattern))]
    default: field.kind == .texts ? [] : [ListName.Group.none]
    }
  }
}
