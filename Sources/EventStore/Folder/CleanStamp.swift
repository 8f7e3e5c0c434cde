package import LMDB

/// The log's statement that the views are durable and complete, and have not been written to since.
///
/// The store record contains the stamp only while that is true; the stamp is removed, durably,
/// before the first write that follows. It therefore survives a power loss, and is true whenever it
/// is present.
package struct CleanStamp: Hashable, Sendable {
  /// The generation of the views.
  package var generation: UInt64
  /// The last record applied to the views.
  package var applied: LogPoint
  /// The identity of the views' data file.
  package var file: File.Identity
  /// The data file's last transaction, which exposes a write that failed to remove the stamp.
  package var transaction: UInt64

  /// Creates a stamp from its parts.
  package init(
    generation: UInt64, applied: LogPoint, file: File.Identity, transaction: UInt64
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

  /// The encoded stamp: a payload.
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

  /// Decodes a stamp; `nil` if the bytes are invalid, which counts as no stamp.
  package init?(_ bytes: RawSpan) {
    guard let fields = try? PayloadFields(decoding: bytes),
      let generation = fields.word(Field.generation), let number = fields.word(Field.number),
      let chain = fields.word(Field.chain).flatMap({ UInt32(exactly: $0) }),
      let device = fields.word(Field.device), let inode = fields.word(Field.inode),
      let transaction = fields.word(Field.transaction)
    else { return nil }
    self.init(
      generation: generation,
      applied: LogPoint(number: RecordNumber(rawValue: number), chain: chain),
      file: File.Identity(device: device, inode: inode), transaction: transaction)
  }
}
