extension Store {
  /// Returns once views show everything up to a record of the log, but for what is damaged there,
  /// and whoever looks at them was told.
  ///
  /// - Throws: ``StoreError``: `closed` also where the store is suspended meanwhile, `cancelled`.
  package func show(upTo number: RecordNumber) async throws(StoreError) {
    while true {
      let upkeep = try parts.upkeep
      guard let shown = stage.with({ $0.position.number }) else { throw absence }
      if shown >= number { return }
      if let failure = upkeep.failure { throw failure }
      if await upkeep.reduced(upTo: number) { return }
      // The views change hands between processes.
      do { try await Task.sleep(for: .milliseconds(1)) } catch { throw .cancelled }
    }
  }
}
