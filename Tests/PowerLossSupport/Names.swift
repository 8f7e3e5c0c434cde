/// The names of files and folders on the medium, and the changes not yet durable.
struct Names {
  /// An entry of a folder.
  struct Name: Hashable {
    let folder: Node
    let text: String
  }

  /// One change: an entry is removed, added, or both at once.
  struct Change {
    var removed: Name?
    var added: Name?
    let node: Node
    /// The folders not flushed since the change.
    var unflushed: Set<Node>

    init(removing removed: Name? = nil, adding added: Name? = nil, _ node: Node) {
      self.removed = removed
      self.added = added
      self.node = node
      unflushed = Set([removed, added].compactMap { $0?.folder })
    }

    /// Applies the change; a removed entry that now names another file is left alone.
    func apply(to table: inout [Name: Node]) {
      if let removed, table[removed] == node { table[removed] = nil }
      if let added { table[added] = node }
    }
  }

  private var current: [Name: Node] = [:]
  private var durable: [Name: Node] = [:]
  private var pending: [Change] = []

  /// Returns the entry of a path, if its folder exists.
  func name(of path: String) -> Name? {
    let parts = path.split(separator: "/")
    guard let last = parts.last else { return nil }
    var folder = Node.root
    for part in parts.dropLast() {
      guard let next = current[Name(folder: folder, text: String(part))] else { return nil }
      folder = next
    }
    return Name(folder: folder, text: String(last))
  }

  mutating func add(_ path: String, _ node: Node) {
    guard let name = name(of: path) else { return }
    change(Change(adding: name, node))
  }

  mutating func link(_ path: String, as other: String) {
    guard let name = name(of: path), let node = current[name] else { return }
    add(other, node)
  }

  mutating func remove(_ path: String) {
    guard let name = name(of: path), let node = current[name] else { return }
    change(Change(removing: name, node))
  }

  mutating func rename(_ path: String, to other: String) {
    guard let old = name(of: path), let new = name(of: other), let node = current[old],
      current[new] != node
    else { return }
    change(Change(removing: old, adding: new, node))
  }

  private mutating func change(_ change: Change) {
    change.apply(to: &current)
    pending.append(change)
  }

  /// Makes the changes durable that only waited for this folder.
  mutating func flush(_ folder: Node) {
    for index in pending.indices { pending[index].unflushed.remove(folder) }
    for change in pending where change.unflushed.isEmpty { change.apply(to: &durable) }
    pending.removeAll { $0.unflushed.isEmpty }
  }

  /// Makes everything durable.
  mutating func flush() {
    durable = current
    pending = []
  }

  /// Returns the paths that exist if the power is lost now, in ascending order.
  func paths(_ habit: PowerCut.Habit, keeping survivors: Survival) -> [(path: String, node: Node)] {
    var table = durable
    switch habit {
    case .journalled: for change in survivors.prefix(of: pending) { change.apply(to: &table) }
    case .harsh: for change in survivors.subset(of: pending) { change.apply(to: &table) }
    }
    return Self.paths(in: table)
  }

  private static func paths(in table: [Name: Node]) -> [(path: String, node: Node)] {
    let folders = Dictionary(grouping: table) { $0.key.folder }
    var paths: [(path: String, node: Node)] = [("", .root)]
    var index = 0
    while index < paths.count {
      let (path, folder) = paths[index]
      let prefix = path.isEmpty ? "" : "\(path)/"
      paths += (folders[folder] ?? []).map { (prefix + $0.key.text, $0.value) }
      index += 1
    }
    return paths.dropFirst().sorted { $0.path < $1.path }
  }
}
