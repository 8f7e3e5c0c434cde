extension Store {
  /// Returns once the views show everything in the log up to a record, except damaged records, and
  /// all subscribers were notified.
  ///
  /// - Throws: ``StoreError``: `closed`, also if the store is suspended in the meantime, and
  ///   `cancelled`.
  package func show(upTo number: RecordNumber) async throws(StoreError) {
    while true {
      let upkeep = try parts.upkeep
      guard stage.with({ _ in true }) == true else { throw absence }
      // What is shown ahead of the log may stand in the record's place.
      if await upkeep.reduced(upTo: number) { return }
      if let failure = upkeep.failure { throw failure }
      // Another process is taking over the views.
      do { try await Task.sleep(for: .milliseconds(1)) } catch { throw .cancelled }
    }
  }
}
