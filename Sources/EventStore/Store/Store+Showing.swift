extension Store {
  /// Returns once the views show everything in the log up to a record, except damaged records, and
  /// all subscribers were notified.
  ///
  /// - Throws: ``StoreError``: `closed`, also if the store is suspended in the meantime, and
  ///   `cancelled`.
  package func show(upTo number: RecordNumber) async throws(StoreError) {
    while true {
      let upkeep = try parts.upkeep
      guard let shown = stage.with({ $0.position.number }) else { throw absence }
      if shown >= number { return }
      if let failure = upkeep.failure { throw failure }
      if await upkeep.reduced(upTo: number) { return }
      // Another process is taking over the views.
      do { try await Task.sleep(for: .milliseconds(1)) } catch { throw .cancelled }
    }
  }
}
