public import EventStore
public import Foundation

extension Log {
  /// Records a push for a process that has the log open, and needs no views for it.
  ///
  /// Without a login it is recorded as nobody's in particular: a reducer gives it to whoever is
  /// logged in at its place in the log, if they were when it arrived. When it returns, what there
  /// is to record is on the medium.
  ///
  /// - Parameters:
  ///   - time: When it arrived, by the device's clock.
  ///   - recipient: Who is logged in.
  /// - Returns: What the push is; the caller, and nobody else, then calls the completion handler
  ///   that it was given, but for a push that is not ours. See ``ReceivedPush``.
  /// - Throws: ``PushError``; nothing was recorded then, unless it is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ payload: PushPayload, by keys: PushKeys, at time: Date = .now,
    for recipient: Recipient = .unknown, isForeground: Bool = false
  ) async throws(PushError) -> ReceivedPush {
    let record = try PushRecord(payload, keys, time.kept, recipient, isForeground: isForeground)
    try await append(record)
    return record.push
  }

  /// Records that what a push showed was opened, and the message with it, as the other does.
  ///
  /// What was only put away, and what has no message, is not recorded.
  ///
  /// - Parameter random: What the key is drawn from, by which a server knows the request.
  /// - Throws: ``PushError``; neither was recorded then, unless it is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ response: PushResponse, by keys: PushKeys, at time: Date = .now,
    for recipient: Recipient = .unknown,
    random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) async throws(PushError) -> ReceivedPush {
    var random = random
    let record = try PushRecord(
      response, keys, time.kept, recipient, key: OperationKey(using: &random))
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
