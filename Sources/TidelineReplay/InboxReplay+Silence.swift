public import EventStore
public import Tideline

extension InboxReplay {
  /// Returns the first record about an object, up to where the replay stands, that left nothing of
  /// it, with the reason.
  ///
  /// Its payload was erased, it was refused, or its login was not the account's.
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
    var first: RefusedEvent?
    for entity in entities(id, objectClass, account) {
      let event = try self.first(about: entity) { header, number in
        refused.first { $0.number == number }
          ?? silence(of: header).map { RefusedEvent(number: number, reason: $0) }
      }
      guard let event else { continue }
      if first.map({ event.number < $0.number }) ?? true { first = event }
    }
    return first
  }

  /// Returns the records about an object, up to where the replay stands, that were refused, with
  /// the reasons.
  ///
  /// - Complexity: O(refused records)
  /// - Throws: `StoreError`.
  public func refusals(
    about id: String, _ objectClass: ObjectClass, of account: UInt32
  ) throws(StoreError) -> [RefusedEvent] {
    let (refused, entities) = (try replay.refused(), entities(id, objectClass, account))
    var refusals: [RefusedEvent] = []
    do throws(LogError) {
      for event in refused {
        guard let entity = try readable(event.number)?.header.entity else { continue }
        if entities.contains(entity) { refusals.append(event) }
      }
    } catch {
      throw .log(error)
    }
    return refusals
  }

  /// Returns a record unless it is damaged: then what it was about is unknown.
  private func readable(_ number: RecordNumber) throws(LogError) -> Record? {
    do throws(LogError) { return try log.record(number) } catch {
      if case .damagedRecord = error { return nil }
      throw error
    }
  }

  /// The names under which records may be about an object: a draft becomes a message.
  private func entities(
    _ id: String, _ objectClass: ObjectClass, _ account: UInt32
  ) -> [Fingerprint] {
    let classes: [ObjectClass] =
      [.message, .draft].contains(objectClass) ? [.message, .draft] : [objectClass]
    return classes.map { log.fingerprint(of: "\($0.rawValue)/\(account)/\(id)") }
  }

  /// Returns the first of the results of `body` for the records about something.
  private func first(
    about entity: Fingerprint, _ body: (RecordHeader, RecordNumber) -> RefusedEvent?
  ) throws(StoreError) -> RefusedEvent? {
    var filter = RecordFilter()
    filter.entity = entity
    var search = RecordSearch(log, matching: filter)
    do throws(LogError) {
      while let part = try search.part() {
        for case .success(let record) in part where record.number <= number {
          if let event = body(record.header, record.number) { return event }
        }
      }
    } catch {
      throw .log(error)
    }
    return nil
  }

  /// Returns why a record that was not refused left nothing of what it is about, if that is known.
  private func silence(of header: RecordHeader) -> String? {
    if header.isErased { return "Its payload was erased." }
    guard let login = header.login else { return nil }
    let (id, accounts) = ("\(login.account)", Accounts.collection)
    let isOpen = replay.views.value(of: Accounts.isLoggedIn, in: id, of: accounts) == true
    let epoch = replay.views.value(of: Accounts.epoch, in: id, of: accounts)
    guard !isOpen || epoch != Int(login.epoch) else { return nil }
    return "Its login, number \(login.epoch) of account \(login.account), was not open, or what it "
      + "left was dropped."
  }
}
