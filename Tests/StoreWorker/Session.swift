import EventStore
import Foundation
import LMDB
import Synchronization
import TestSupport
import ToyDomains

/// The store that the worker has open, and the commands it performs on it.
struct Session {
  private var store: Store?
  private var watched: Watched?
  private var comparison = StoreComparison<Todo>(Todo.views)

  /// Performs the command of a line, and returns the answer.
  mutating func answer(_ command: String, _ words: [String]) async -> String {
    do {
      switch command {
      case "live":
        let (seed, bent) = (UInt64(words[2]) ?? 0, words.dropFirst(3).first)
        let phase = bent.flatMap { LifePhase(rawValue: $0) }
        if words[0] == "todo" { try await Life<Todo>.live(words[1], seed, bent: phase) }
        try await Life<Leaderboard>.live(words[1], seed, bent: phase)
      case "open": try await open(words)
      case "lock": return try Self.lock(words[0])
      case "belongings": return try belongings(below: words[0])
      default:
        guard let store else { return "no store" }
        return try await answer(command, words, store)
      }
      return "done"
    } catch {
      return "error \(Self.name(of: error))"
    }
  }

  private mutating func answer(
    _ command: String, _ words: [String], _ store: Store
  ) async throws -> String {
    switch command {
    case "append": return try await Self.append(words, to: store)
    case "submit": return try await Self.submit(words, to: store)
    case "preview": return try Self.preview(words, in: store)
    case "lose": return try await Self.lose(words, in: store)
    case "hurry": return try await Self.hurry(words, to: store)
    case "watch": watched = try Watched(store)
    case "seen": return try await seen(store)
    case "check": return try await check(store)
    case "failure": return store.failure.map(Self.name) ?? "none"
    case "refused":
      let refused = try store.refused().filter { $0.reason == RefusedEvent.endedProcess }
      return "\(refused.map(\.number))"
    case "skipped": return "\(try store.skipped)"
    case "verify": return try await store.verify().isSound ? "sound" : "unsound"
    case "replay":
      let rules = Trouble(Todo.rules(Todo.views), version: 1) { die() }
      let last = try store.log.last
      let replays = try [store.replay(at: last), Replay(store.log, reducer: rules, at: last)]
      let ended = try replays.map { replay in
        try replay.refused().filter { $0.reason == RefusedEvent.endedProcess }.map(\.number)
      }
      return ended[0] == ended[1] ? "\(ended[0])" : "\(ended)"
    case "last": return "\(try store.log.last)"
    case "setbacks": return "\(try store.read { $0.setbacks.count })"
    case "commit": try await store.commitViews()
    case "suspend": await store.suspend()
    case "resume": try await store.resume()
    case "close":
      await store.close()
      self.store = nil
    default: return "unknown command"
    }
    return "done"
  }

  /// `open PATH [poison] [other] [next] [lasting]`: with lethal events, with one view defined
  /// differently, with the reducer's next version, and with long frames.
  private mutating func open(_ words: [String]) async throws {
    let views = words.contains("other") ? Todo.otherViews : Todo.views
    let isDeadly = words.contains("poison")
    let rules = Trouble(Todo.rules(views), version: words.contains("next") ? 2 : 1) {
      if isDeadly { die() }
    }
    comparison = StoreComparison(views)
    var options = Store.Options()
    if words.contains("lasting") { options.frame.interactive = .seconds(600) }
    store = try await Store.open(at: words[0], reducer: rules, options: options)
  }

  private static func batch(_ words: [String]) -> (Batch, Durability) {
    var generator = SeededGenerator(seed: UInt64(words[0]) ?? 0)
    let mix = TodoMix()
    let happenings = (0..<(Int(words[1]) ?? 1)).map { _ in
      mix.happening(using: &generator)
    }
    return (Batch(happenings), words.contains("relaxed") ? .relaxed : .full)
  }

  /// `append SEED COUNT [relaxed]`: appends a batch of random happenings.
  private static func append(_ words: [String], to store: Store) async throws -> String {
    let (batch, durability) = batch(words)
    return "\(try await store.append(batch, durability: durability).upperBound)"
  }

  /// `submit SEED COUNT [relaxed]`: reports that the batch was visible, and its final result.
  private static func submit(_ words: [String], to store: Store) async throws -> String {
    let (batch, durability) = batch(words)
    let receipt = try store.submit(batch, durability: durability)
    do { try await receipt.visible() } catch { return "invisible, error \(name(of: error))" }
    do { return "visible, \(try await receipt.durable().upperBound)" } catch {
      return "visible, error \(name(of: error))"
    }
  }

  /// `lose SEED COUNT`: shows a batch that never reaches the log; answers with the least record
  /// that the views reached until the batch was withdrawn.
  private static func lose(_ words: [String], in store: Store) async throws -> String {
    let (batch, durability) = batch(words)
    let receipt = try store.submitAndShow(batch, durability: durability)
    // It may be lost already.
    try? await receipt.visible()
    let last = try store.log.last
    var shown = try store.read { $0.position.number }
    var least = shown
    while shown != last {
      shown = try store.read { $0.position.number }
      least = min(shown, least)
      await Task.yield()
    }
    return "\(least)"
  }

  /// `preview SEED COUNT`: shows a batch without waiting for its durability, and answers with the
  /// position then shown.
  private static func preview(_ words: [String], in store: Store) throws -> String {
    _ = try store.submitAndShow(batch(words).0)
    let position = try store.read { $0.position }
    return String(decoding: try JSONEncoder().encode(position), as: UTF8.self)
  }

  /// `lock LOG`: locks out other writers of a log, and never ends.
  private static func lock(_ path: String) throws -> String {
    try Environment(at: path).write(.none) { transaction throws(LMDBError) in
      tell("locked")
      while readLine() != nil {}
      _ = transaction.id
    }
    return "done"
  }

  /// `hurry SEED COUNT`: submits and shows `COUNT` batches in quick succession; answers whether
  /// many were shown, and the last one's result.
  private static func hurry(_ words: [String], to store: Store) async throws -> String {
    var generator = SeededGenerator(seed: UInt64(words[0]) ?? 0)
    let mix = TodoMix()
    let (before, count) = (try store.read { $0.position.number }, Int(words[1]) ?? 1)
    var (shown, receipts) = (before, [Receipt]())
    for _ in 0..<count {
      receipts.append(try store.submitAndShow(Batch([mix.happening(using: &generator)])))
      shown = max(shown, try store.read { $0.position.number })
    }
    let some = before.distance(to: shown) > 1 ? "many" : "few"
    var result = ""
    for receipt in receipts {
      do { result = "\(try await receipt.durable().upperBound)" } catch {
        result = "error \(name(of: error))"
      }
    }
    return "\(some), \(result)"
  }

  /// Answers whether the delivered rows match the store, and with the number of resets.
  private mutating func seen(_ store: Store) async throws -> String {
    guard let watched else { return "nothing" }
    if let difference = try await comparison.difference(of: store) { return difference }
    return try watched.state(in: store)
  }

  private mutating func check(_ store: Store) async throws -> String {
    try store.checkInvariants()
    return try await comparison.difference(of: store) ?? "same"
  }

  /// Returns the name of the error's case, or for a log's error within a store's, of the log's.
  private static func name(of error: any Error) -> String {
    if case StoreError.log(let error) = error { return name(of: error) }
    let label = Mirror(reflecting: error).children.first?.label ?? "\(error)"
    return error is StoreError ? "\(label) of store" : label
  }
}

/// A list observed through the reducer's view and through a transient one, and its rows, with
/// everything delivered for them.
private final class Watched: Sendable {
  private struct Shown {
    var rows: [Row]?
    var resets = 0
    var transient: [Row]?
    var watched: [String: Row] = [:]
  }

  private let shown: Shared
  private let view: LiveView
  private let transient: LiveView
  private let watched: [LiveRow]

  /// The state shared with the callbacks.
  private final class Shared: Sendable { let state = Mutex(Shown()) }

  init(_ store: Store) throws {
    let shown = Shared()
    view = try store.live("titles", window: 0..., countsExactly: true) { change in
      shown.state.withLock { state in
        state.rows = Array(change.list)
        state.resets += change.set.isReset ? 1 : 0
      }
    }
    let rows = Array(view.start.rows)
    shown.state.withLock { $0.rows = $0.rows ?? rows }
    let titles = ViewDefinition(
      "transient", of: Todo.tasks, orderedBy: [Todo.title.ascending], version: 99)
    transient = try store.live(titles, window: 0...) { change in
      shown.state.withLock { $0.transient = Array(change.list) }
    }
    let others = Array(transient.start.rows)
    shown.state.withLock { $0.transient = $0.transient ?? others }
    let watched = try rows.map { row in
      try store.watch(row.id, in: Todo.tasks) { change in
        shown.state.withLock { $0.watched[row.id] = change.new }
      }
    }
    shown.state.withLock { state in
      for row in watched where state.watched[row.start.row?.id ?? ""] == nil {
        if let row = row.start.row { state.watched[row.id] = row }
      }
    }
    self.shown = shown
    self.watched = watched
  }

  func state(in store: Store) throws -> String {
    let rows = try store.read { try $0.rows(of: "titles", in: 0...) }
    let state = shown.state.withLock { $0 }
    guard state.rows == rows else { return "\(state.rows?.count ?? 0) rows for \(rows.count)" }
    guard state.transient == rows else { return "other rows in memory" }
    for live in watched {
      guard let id = live.start.row?.id else { continue }
      let row = try store.read { try? $0.row(id, in: Todo.tasks) }
      guard state.watched[id] == row else { return "\(id) is another row" }
    }
    return "same, \(state.resets) resets"
  }
}
