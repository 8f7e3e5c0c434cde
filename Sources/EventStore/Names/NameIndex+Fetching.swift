import LMDB

/// Looking up many hashes together, before they are requested: each step prefetches what the next
/// one reads, so that the memory latencies of many searches overlap.
extension NameIndex {
  /// The placeholder for no row, because no row has that number.
  package static let noRow = UInt32.max

  /// Replaces `rows` by a candidate row for each hash, or ``noRow``.
  ///
  /// ``find(_:verify:)`` doesn't repeat what this finds in the runs. Unreadable data is left to it.
  package mutating func findAhead(_ hashes: [UInt64], _ rows: inout [UInt32]) {
    for hash in hashes { tail.fetchSlot(of: hash) }
    rows.removeAll(keepingCapacity: true)
    for hash in hashes {
      tail.fetchPair(of: hash)
      rows.append(fetchPairInRuns(of: hash))
    }
    for index in hashes.indices { rows[index] = likelyRow(of: hashes[index], after: rows[index]) }
  }

  /// Prefetches the pair of a hash in the first run that may hold it; returns the run's place, or
  /// the end if there is none.
  @inline(__always)
  private mutating func fetchPairInRuns(of hash: UInt64) -> UInt32 {
    for place in runs.indices {
      do throws(LMDBError) {
        guard try mayHold(hash, runAt: place) else { continue }
        let (part, parts) = (runs[place].block(of: hash), runs[place].blockCount)
        try withBlock(part, ofRunAt: place) { block in
          block.fetchPair(of: hash, part: part, of: parts)
        } isCertain: {
          true
        }
      } catch {}
      return UInt32(place)
    }
    return UInt32(runs.count)
  }

  /// Returns the first row found for a hash, or ``noRow``, given the result of
  /// ``fetchPairInRuns(of:)``.
  @inline(__always)
  private mutating func likelyRow(of hash: UInt64, after run: UInt32) -> UInt32 {
    if let row = tail.first(of: hash) { return row.rawValue }
    if runs.isEmpty { return Self.noRow }
    do throws(LMDBError) {
      let row = try firstRow(of: hash, fromRunAt: Int(run))?.rawValue ?? Self.noRow
      finds.note(row, of: hash)
      return row
    } catch {
      return Self.noRow
    }
  }

  @inline(__always)
  private mutating func firstRow(
    of hash: UInt64, fromRunAt first: Int
  ) throws(LMDBError) -> RowID? {
    for place in first..<runs.count where try mayHold(hash, runAt: place) {
      if let row = try row(0, of: hash, runAt: place) { return row }
    }
    return nil
  }
}
