import EventStore

/// Active rich messages.
extension ReducerState {
  /// Activates a rich message if the time is between its start and its end.
  mutating func refreshWindow(of entity: Entity, _ occasion: Occasion) throws(Refusal) {
    guard entity.kind.objectClass == .rich else { return }
    let base = base(of: entity)
    let start = self[base, RichMessages.startDateUtc]
    let end = self[base, RichMessages.endDateUtc]
    let hasWindow = occasion.switches.hasActiveWindow
    let isActive = !hasWindow || start ?? .min <= occasion.now && occasion.now < end ?? .max
    for row in layers(of: entity)
    where (self[row, RichMessages.isActive] != false) != isActive {
      self[row, RichMessages.isActive] = isActive ? nil : false
    }
    let next = hasWindow ? [start, end].compactMap { $0 }.filter { $0 > occasion.now }.min() : nil
    if next != nil || start != nil || end != nil {
      try setTimer(of: entity.row, at: next, account: Int64(occasion.account))
    }
  }

  /// Updates whether each rich message of an account is active.
  mutating func refreshAllWindows(_ occasion: Occasion) throws(Refusal) {
    for row in rows(of: RichMessages.collection)
    where self[row, InboxFields.account] == Int64(occasion.account) {
      try refreshWindow(of: Entity(kind: .rich, row: row), occasion)
    }
  }
}

extension Timestamp {
  fileprivate static let min = Timestamp(rawValue: .min)
  fileprivate static let max = Timestamp(rawValue: .max)
}
