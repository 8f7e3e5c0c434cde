import BenchmarkPeers
import CLMDB
import LMDB

extension RawLMDB {
  /// Appends a batch of items as one commit, each after as many bytes as a log's header has;
  /// returns the last number.
  func append(
    _ mailbox: Mailbox, _ batch: Range<Int>, _ payload: MailPayload
  ) throws(LMDBError) -> UInt64 {
    try unsafe inTransaction { transaction throws(LMDBError) in
      for number in batch {
        let bytes = try unsafe appended(LogCase.headerBytes + MailPayload.size, transaction)
        unsafe bytes.storeBytes(of: UInt64(number), as: UInt64.self)
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[LogCase.headerBytes...])
        unsafe payload.write(mailbox[number], to: rest)
      }
    }
    return last
  }

  /// Returns a hash of every byte of the first `count` values and of the number of values.
  func first(_ count: Int) throws(LMDBError) -> UInt64 {
    try unsafe inTransaction(flags: UInt32(MDB_RDONLY)) { transaction throws(LMDBError) in
      var statistics = MDB_stat()
      try Self.check(unsafe mdb_stat(transaction, table, &statistics), "count")
      var sum = UInt64(statistics.ms_entries)
      for number in 1...UInt64(count) { try unsafe sum &+= read(number, transaction) }
      return sum
    }
  }

  private func read(
    _ number: UInt64, _ transaction: OpaquePointer
  ) throws(LMDBError) -> UInt64 {
    var number = number
    var value = unsafe MDB_val()
    let code = unsafe withUnsafeMutableBytes(of: &number) { number in
      var key = unsafe MDB_val(mv_size: number.count, mv_data: number.baseAddress)
      return unsafe mdb_get(transaction, table, &key, &value)
    }
    try Self.check(code, "read")
    return unsafe UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)
      .reduce(0) { $0 &+ UInt64($1) }
  }

  /// Returns the bytes of a new last value, in the page that they will be written from.
  func appended(
    _ size: Int, _ transaction: OpaquePointer
  ) throws(LMDBError) -> UnsafeMutableRawBufferPointer {
    last += 1
    var number = last
    var value = unsafe MDB_val(mv_size: size, mv_data: nil)
    let code = unsafe withUnsafeMutableBytes(of: &number) { number in
      var key = unsafe MDB_val(mv_size: number.count, mv_data: number.baseAddress)
      let flags = UInt32(MDB_APPEND | MDB_RESERVE)
      return unsafe mdb_put(transaction, table, &key, &value, flags)
    }
    try Self.check(code, "put")
    return unsafe UnsafeMutableRawBufferPointer(start: value.mv_data, count: size)
  }
}
