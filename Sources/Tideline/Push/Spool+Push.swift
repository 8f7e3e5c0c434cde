public import EventStore
public import Foundation

extension Spool {
  /// Records a push for an extension, which must hold no lock and has little memory.
  ///
  /// The push is recorded for `recipient`, or for the spool's own ``Spool/recipient()`` if that is
  /// `nil`. On return, the records are durable. The call blocks until then; don't make it from a
  /// task of the cooperative pool or from the main actor.
  ///
  /// - Parameter time: When the push arrived, by the device's clock.
  /// - Returns: The push as understood. The caller alone then calls the completion handler that it
  ///   was given, unless the push is not ours. See ``ReceivedPush``.
  /// - Throws: ``PushError``. Nothing was recorded, unless the error is `notRecorded(.failed)`.
  @discardableResult
  public func receive(
    _ payload: PushPayload, by keys: PushKeys, at time: Date = .now,
    for recipient: Recipient? = nil, isForeground: Bool = false
  ) throws(PushError) -> ReceivedPush {
    let record = try PushRecord(
      payload.received(by: keys), time.kept, recipient ?? self.recipient(),
      isForeground: isForeground)
    try record.write(to: self)
    return record.push
  }

  /// Records that the person opened what a push showed, together with its message.
  ///
  /// Dismissals and pushes without a message are not recorded. The recipient is as for an arrival.
  ///
  /// - Parameter random: The source of the key by which a server recognizes the request.
  /// - Throws: ``PushError``. The message may have been recorded, but not the opening.
  @discardableResult
  public func receive(
    _ response: PushResponse, by keys: PushKeys, at time: Date = .now,
    for recipient: Recipient? = nil,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(PushError) -> ReceivedPush {
    var random = random
    let record = try PushRecord(
      response, to: response.payload.received(by: keys), time.kept, recipient ?? self.recipient(),
      key: OperationKey(using: &random))
    try record.write(to: self)
    return record.push
  }
}
