public import EventStore
public import Foundation

extension Spool {
  /// Records a push for an extension, which must hold no lock and has little memory.
  ///
  /// It is recorded under the login that the spool's own ``Spool/recipient()`` says, or that
  /// `recipient` says instead. When it returns, what there is to record is on the medium. It blocks
  /// for that. It is not for a task of the cooperative pool, nor for the main actor.
  ///
  /// - Parameter time: When it arrived, by the device's clock.
  /// - Returns: What the push is; the caller, and nobody else, then calls the completion handler
  ///   that it was given, but for a push that is not ours. See ``ReceivedPush``.
  /// - Throws: ``PushError``; nothing was recorded then, unless it is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ payload: PushPayload, by keys: PushKeys, at time: Date = .now,
    for recipient: Recipient? = nil, isForeground: Bool = false
  ) throws(PushError) -> ReceivedPush {
    let record = try PushRecord(
      payload, keys, time.kept, recipient ?? self.recipient(), isForeground: isForeground)
    try record.write(to: self)
    return record.push
  }

  /// Records that what a push showed was opened, and the message with it, as the other does.
  ///
  /// What was only put away, and what has no message, is not recorded.
  ///
  /// - Parameter random: What the key is drawn from, by which a server knows the request.
  /// - Throws: ``PushError``; the message may have been recorded before, but no opening.
  @discardableResult
  public func receive(
    _ response: PushResponse, by keys: PushKeys, at time: Date = .now,
    for recipient: Recipient? = nil,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(PushError) -> ReceivedPush {
    var random = random
    let record = try PushRecord(
      response, keys, time.kept, recipient ?? self.recipient(), key: OperationKey(using: &random))
    try record.write(to: self)
    return record.push
  }
}
