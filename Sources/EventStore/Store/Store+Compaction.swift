extension Store {
  /// Replaces the records up to one by a baseline, as ``Log/compact(through:_:)`` does, once the
  /// views are committed beyond it: so whoever shows them, in whichever process, goes on from what
  /// is committed, and nobody has to make them anew.
  ///
  /// Live views notice nothing. What happened since a position below the floor is told as a reset.
  ///
  /// - Throws: ``StoreError``; what `records` throws; as ``Log/compact(through:_:)``.
  @discardableResult
  public func compact(
    through floor: RecordNumber,
    _ records: @escaping @Sendable (_ last: RecordNumber) throws -> [BaselineRecord]
  ) async throws -> CompactionReport {
    try await commitViews()
    return try await log.compact(through: floor, records)
  }
}
