public import EventStore
public import Tideline

extension InboxReplay {
  /// Returns the first record about an object, up to where the replay stands, that left nothing of
  /// it because its payload was erased or because it was refused, with the reason.
  ///
  /// Returns `nil` if there is none, or if a row has or had the id.
  ///
  /// - Complexity: O(records), if no row has or had the id.
  /// - Throws: `StoreError`.
  public func silentRecord(
    about id: String, _ objectClass: ObjectClass, of account: UInt32
  ) throws(StoreError) -> RefusedEvent? {
    guard let collection = ObjectKind.of(objectClass)?.collection,
      !replay.knows("\(account)/\(id)", in: collection)
    else { return nil }
    let refused = try replay.refused()
    var filter = RecordFilter()
    filter.entity = log.fingerprint(of: "\(objectClass.rawValue)/\(account)/\(id)")
    var search = RecordSearch(log, matching: filter)
    do throws(LogError) {
      while let part = try search.part() {
        for case .success(let record) in part where record.number <= number {
          if let event = refused.first(where: { $0.number == record.number }) { return event }
          guard record.header.isErased else { continue }
          return RefusedEvent(number: record.number, reason: "Its payload was erased.")
        }
      }
    } catch {
      throw .log(error)
    }
    return nil
  }
}
