import BenchmarkPeers
import EventStore
import Synchronization

/// The mail reducer: a row for each item and each group, a view of the groups by their newest item,
/// and one of the unread items.
struct MailReducer: Reducer {
  static let put = EventKind(rawValue: 1)
  static let mark = EventKind(rawValue: 2)
  static let edit = EventKind(rawValue: 3)
  static let markAll = EventKind(rawValue: 4)
  static let probe = EventKind(rawValue: 5)
  static let markEach = EventKind(rawValue: 6)

  /// The time of the reducer's last call for a ``probe``.
  static let reached = Mutex(ContinuousClock.now)

  enum Item {
    static let date = Field<Timestamp>("date", 1)
    static let isUnread = Field<Bool>("isUnread", 2)
    static let group = Field<RowID>("group", 3)
    static let subject = Field<Int>("subject", 4)
    static let groupID = Field<String>("groupID", 5)
    static let collection = RowCollection(
      "items", number: 1, date, isUnread, group, subject, groupID)
  }

  enum Group {
    static let lastDate = Field<Timestamp>("lastDate", 1)
    static let unreadCount = Field<Int>("unreadCount", 2)
    static let count = Field<Int>("count", 3)
    static let collection = RowCollection("groups", number: 2, lastDate, unreadCount, count)
  }

  let version = 1
  let collections = [Item.collection, Group.collection]
  let views: [ViewDefinition]
  private let isByGroup: Bool

  /// - Parameter isByGroup: Whether there is also a list of unread items for each group.
  init(isByGroup: Bool = false) {
    let unread = ViewDefinition(
      Self.unread.view, of: Item.collection, where: Item.isUnread == true,
      orderedBy: [Item.date.descending])
    let groups = ViewDefinition(
      Self.groups.view, of: Group.collection, orderedBy: [Group.lastDate.descending])
    let byGroup = ViewDefinition(
      Self.byGroup, of: Item.collection, where: Item.isUnread == true,
      orderedBy: [Item.date.descending]
    ).grouped(by: Item.groupID)
    self.isByGroup = isByGroup
    views = isByGroup ? [groups, unread, byGroup] : [groups, unread]
  }

  /// The lists; the last view is grouped.
  static let unread: ListName = "unread", groups: ListName = "groups", byGroup = "unread by group"

  func reduce(_ event: borrowing RecordView, into state: inout ReducerState) throws(Refusal) {
    do throws(PayloadError) {
      if event.kind == Self.markAll { return markAll(&state) }
      if event.kind == Self.markEach { return markEach(&state) }
      if event.kind == Self.probe { return Self.reached.withLock { $0 = .now } }
      var fields = PayloadReader(event.payload)
      guard let id = try fields.next() else { return }
      switch event.kind {
      case Self.put: try put(id, &fields, event.number, &state)
      case Self.edit: try edit(id, event.number, &state)
      default: if let isUnread = try fields.next() { try mark(id, isUnread.boolean, &state) }
      }
    } catch {
      throw Refusal(error.description)
    }
  }

  func expect(_ event: borrowing RecordView, _ names: inout ExpectedNames) {
    let kind = event.kind
    guard kind == Self.put || kind == Self.mark || kind == Self.edit else { return }
    var fields = PayloadReader(event.payload)
    guard let id = try? fields.next() else { return }
    if let id = try? id.utf8 { names.expect(id, in: Item.collection) }
    guard kind == Self.put, let groupID = try? fields.next() else { return }
    if let id = try? groupID.utf8 { names.expect(id, in: Group.collection) }
  }

  private func put(
    _ id: PayloadReader.Field, _ fields: inout PayloadReader, _ number: RecordNumber,
    _ state: inout ReducerState
  ) throws(PayloadError) {
    guard let groupID = try fields.next(), let date = try fields.next(),
      let unread = try fields.next()
    else { return }
    let (time, isUnread) = (Timestamp(rawValue: try date.integer), try unread.boolean)
    guard let item = try? state.row(id.utf8, in: Item.collection),
      let group = try? state.row(groupID.utf8, in: Group.collection)
    else { return }
    let text = isByGroup ? try groupID.text : nil
    try? state.edit(item) { row in
      row[Item.date] = time
      row[Item.isUnread] = isUnread
      row[Item.group] = group.row
      row[Item.subject] = Int(number.rawValue)
      row[Item.groupID] = text
    }
    try? state.edit(group) { row in
      row[Group.lastDate] = max(row[Group.lastDate] ?? time, time)
      row[Group.count] = (row[Group.count] ?? 0) + 1
      if isUnread { row[Group.unreadCount] = (row[Group.unreadCount] ?? 0) + 1 }
    }
  }

  private func mark(
    _ id: PayloadReader.Field, _ isUnread: Bool, _ state: inout ReducerState
  ) throws(PayloadError) {
    guard let item = state.find(try id.utf8, in: Item.collection) else { return }
    mark(item, isUnread, &state)
  }

  private func mark(_ item: RowHandle, _ isUnread: Bool, _ state: inout ReducerState) {
    guard state[item, Item.isUnread] != isUnread,
      let group = state.link(Item.group, of: item, to: Group.collection)
    else { return }
    state[item, Item.isUnread] = isUnread
    state[group, Group.unreadCount] = (state[group, Group.unreadCount] ?? 0) + (isUnread ? 1 : -1)
  }

  /// Marks all items as read.
  private func markAll(_ state: inout ReducerState) {
    state.set(Item.isUnread, to: false, inAll: Self.unread.view)
    state.set(Group.unreadCount, to: 0, inAll: Self.groups.view)
  }

  /// Marks all items as read, one by one.
  private func markEach(_ state: inout ReducerState) {
    for item in state.rows(in: Self.unread) { mark(item, false, &state) }
  }

  /// Changes an item without moving it.
  private func edit(
    _ id: PayloadReader.Field, _ number: RecordNumber, _ state: inout ReducerState
  ) throws(PayloadError) {
    guard let item = state.find(try id.utf8, in: Item.collection) else { return }
    state[item, Item.subject] = Int(number.rawValue)
  }
}
