package import LMDB

/// The log's word that the views are on the medium, whole, and that nothing was written since.
///
/// It is in the store's own record while that is so, and taken out, durably, before the first write
/// that follows. So it outlasts a loss of power, and what it says is true whenever it is there.
package struct CleanStamp: Hashable, Sendable {
  /// The generation of the views.
  package var generation: UInt64
  /// How far they go.
  package var applied: Applied
  /// Their data file.
  package var file: File.Identity
  /// The last transaction of it, by which a write that forgot to take the stamp out is noticed.
  package var transaction: UInt64

  /// A stamp of these parts.
  package init(
    generation: UInt64, applied: Applied, file: File.Identity, transaction: UInt64
  ) {
    self.generation = generation
    self.applied = applied
    self.file = file
    self.transaction = transaction
  }
}

extension CleanStamp {
  private enum Field {
    static let generation = 1
    static let number = 2
    static let chain = 3
    static let device = 4
    static let inode = 5
    static let transaction = 6
  }

  /// The bytes it is kept as: a payload.
  package var bytes: [UInt8] {
    PayloadWriter.bytes { writer in
      writer.put(Field.generation, Int64(bitPattern: generation))
      writer.put(Field.number, Int64(bitPattern: applied.number.rawValue))
      writer.put(Field.chain, Int64(applied.chain))
      writer.put(Field.device, Int64(bitPattern: file.device))
      writer.put(Field.inode, Int64(bitPattern: file.inode))
      writer.put(Field.transaction, Int64(bitPattern: transaction))
    }
  }

  /// Reads the bytes again; `nil` where they are not a stamp's, which then is none.
  package init?(_ bytes: RawSpan) {
    guard let fields = try? PayloadFields(decoding: bytes),
      let generation = fields.word(Field.generation), let number = fields.word(Field.number),
      let chain = fields.word(Field.chain).flatMap({ UInt32(exactly: $0) }),
      let device = fields.word(Field.device), let inode = fields.word(Field.inode),
      let transaction = fields.word(Field.transaction)
    else { return nil }
    self.init(
      generation: generation,
      applied: Applied(number: RecordNumber(rawValue: number), chain: chain),
      file: File.Identity(device: device, inode: inode), transaction: transaction)
  }
}
