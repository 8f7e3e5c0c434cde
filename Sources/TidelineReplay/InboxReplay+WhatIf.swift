public import EventStore
import Tideline

/// An alternative outcome of an operation.
public enum TurnedOutcome: String, Sendable, Hashable, CaseIterable {
  /// The server has performed it.
  case acknowledged
  /// The server will never perform it.
  case rejected
  /// It is to be retried.
  case deferred
  /// Its outcome is unknown.
  case uncertain
  /// It was abandoned.
  case abandoned
}

extension InboxReplay {
  /// Returns what would differ after a record if the edited records had been different.
  ///
  /// - Complexity: As `Replay.whatIf(_:at:)`.
  /// - Throws: `StoreError`.
  public func whatIf(
    _ edits: [LogEdit], at number: RecordNumber
  ) throws(StoreError) -> WhatIf {
    let edited = EditedLog(log, edits) { record, number in
      record.renumbered(Renumbering(record: number))
    }
    return try replay.whatIf(edited, at: number)
  }

  /// Returns the edit that replaces the outcome of an operation in a record by another.
  ///
  /// - Throws: ``InboxReplayError/noOutcome(_:)``; `LogError`.
  public func turning(_ number: RecordNumber, to outcome: TurnedOutcome) throws -> LogEdit {
    guard let record = try log.read({ try $0.record(number) }),
      let event = try? EventCatalog.event(of: record), let (intent, item) = Self.subject(of: event)
    else { throw InboxReplayError.noOutcome(number) }
    let turned = outcome.event(intent, item)
    let header = Event(
      kind: turned.kind, version: turned.version, origin: turned.origin,
      recordedAt: record.header.recordedAt, login: record.header.login,
      cause: record.header.cause.map { .record($0) },
      exchange: record.header.exchange.map { .record($0) }, entity: record.header.entity)
    return .replace(number, header, payload: turned.payload)
  }

  private static func subject(of event: any InboxEvent) -> (RecordNumber, String?)? {
    switch event {
    case let event as OperationAcknowledged: (event.intent, event.item)
    case let event as OperationRejected: (event.intent, event.item)
    case let event as OperationDeferred: (event.intent, event.item)
    case let event as OperationUncertain: (event.intent, event.item)
    case let event as OperationAbandoned: (event.intent, event.item)
    default: nil
    }
  }
}

extension TurnedOutcome {
  fileprivate func event(_ intent: RecordNumber, _ item: String?) -> any InboxEvent {
    switch self {
    case .acknowledged:
      OperationAcknowledged {
        ($0.intent, $0.item) = (intent, item)
      }
    case .rejected:
      OperationRejected {
        ($0.intent, $0.item) = (intent, item)
      }
    case .deferred:
      OperationDeferred {
        ($0.intent, $0.item) = (intent, item)
      }
    case .uncertain:
      OperationUncertain {
        ($0.intent, $0.item) = (intent, item)
      }
    case .abandoned:
      OperationAbandoned {
        ($0.intent, $0.item) = (intent, item)
      }
    }
  }
}
