public import EventStore
public import Foundation

extension Log {
  /// Records a push for a process that has the log open and needs no views.
  ///
  /// Without a login, the push is recorded with no particular recipient. A reducer assigns it to
  /// the login at that place in the log, if that login was active when the push arrived. On return,
  /// the records are durable.
  ///
  /// - Parameters:
  ///   - time: When the push arrived, by the device's clock.
  ///   - recipient: The login that the push belongs to.
  /// - Returns: The push as understood. The caller alone then calls the completion handler that it
  ///   was given, unless the push is not ours. See ``ReceivedPush``.
  /// - Throws: ``PushError``. Nothing was recorded, unless the error is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ payload: PushPayload, by keys: PushKeys, at time: Date = .now,
    for recipient: Recipient = .unknown, isForeground: Bool = false
  ) async throws(PushError) -> ReceivedPush {
    let record = try PushRecord(
      payload.received(by: keys), time.kept, recipient, isForeground: isForeground)
    try await append(record)
    return record.push
  }

  /// Records that the person opened what a push showed, together with its message.
  ///
  /// Dismissals and pushes without a message are not recorded. The recipient is as for an arrival.
  ///
  /// - Parameter random: The source of the key by which a server recognizes the request.
  /// - Throws: ``PushError``. Neither was recorded, unless the error is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ response: PushResponse, by keys: PushKeys, at time: Date = .now,
    for recipient: Recipient = .unknown,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) async throws(PushError) -> ReceivedPush {
    var random = random
    let record = try PushRecord(
      response, to: response.payload.received(by: keys), time.kept, recipient,
      key: OperationKey(using: &random))
    try await append(record)
    return record.push
  }

  private func append(_ record: PushRecord) async throws(PushError) {
    guard !record.events.isEmpty else { return }
    do throws(LogError) {
      try await append(record.batch(fingerprint(of:)))
    } catch {
      throw .notRecorded(error)
    }
  }
}
