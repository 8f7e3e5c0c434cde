extension Store {
  /// Replaces the records up to `floor` by a baseline, as ``Log/compact(through:_:)`` does, once
  /// the committed views are past it.
  ///
  /// Every process that shows the views can thus continue from the committed ones, and none has to
  /// rebuild them. Live views notice nothing. Changes since a position below the floor are reported
  /// as a reset.
  ///
  /// - Throws: ``StoreError``, what `records` throws, and what ``Log/compact(through:_:)`` throws.
  @discardableResult
  public func compact(
    through floor: RecordNumber,
    _ records: @escaping @Sendable (_ last: RecordNumber) throws -> [BaselineRecord]
  ) async throws -> CompactionReport {
    try await commitViews()
    return try await log.compact(through: floor, records)
  }
}
