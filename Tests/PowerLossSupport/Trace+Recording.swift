extension Trace {
  /// Reads a recording.
  ///
  /// A truncated recording yields the operations before the cut. Writes to files that existed
  /// before the recording are omitted, because nothing is known of these files.
  package init(recording bytes: [UInt8]) {
    var reader = Reader(bytes: bytes)
    var operations: [Operation] = []
    while let record = reader.record() {
      if let operation = reader.operation(record) { operations.append(operation) }
    }
    self.init(operations)
  }
}

/// A record as it is stored: header, name, data.
private struct Record {
  /// The numbers that the recorder uses.
  enum Kind: UInt64 {
    case root, create, makeFolder, write, durableWrite, resize, rename, link, remove, flush
    case flushAll, acknowledge
  }

  var kind: Kind
  var inode: UInt64
  var offset: Int
  var name: String
  var data: [UInt8]
}

private struct Reader {
  static let headerSize = 32

  let bytes: [UInt8]
  var position = 0
  /// The nodes by inode: the system reuses a removed file's inode, but a node's number is unique.
  var nodes: [UInt64: Node] = [:]
  var nodeCount = 1

  init(bytes: [UInt8]) { self.bytes = bytes }

  private func integer(at offset: Int, size: Int) -> UInt64 {
    (0..<size).reversed().reduce(0) { $0 << 8 | UInt64(bytes[position + offset + $1]) }
  }

  /// Returns the next record, or `nil` at the end, or if the record is truncated or invalid.
  mutating func record() -> Record? {
    guard bytes.count - position >= Self.headerSize else { return nil }
    let nameSize = Int(integer(at: 4, size: 4))
    let left = bytes.count - position - Self.headerSize - nameSize
    guard left >= 0, let dataSize = Int(exactly: integer(at: 24, size: 8)), dataSize <= left,
      let kind = Record.Kind(rawValue: integer(at: 0, size: 4)),
      let offset = Int(exactly: integer(at: 16, size: 8))
    else { return nil }
    let name = position + Self.headerSize
    let data = name + nameSize
    defer { position = data + dataSize }
    return Record(
      kind: kind, inode: integer(at: 8, size: 8), offset: offset,
      name: String(decoding: bytes[name..<data], as: UTF8.self),
      data: Array(bytes[data..<data + dataSize]))
  }

  private mutating func newNode(_ inode: UInt64) -> Node {
    let node = Node(nodeCount)
    nodeCount += 1
    nodes[inode] = node
    return node
  }

  /// Returns the record's operation, or `nil` if it has none or its file is unknown.
  mutating func operation(_ record: Record) -> Trace.Operation? {
    let node = nodes[record.inode]
    let second = { String(decoding: record.data, as: UTF8.self) }
    switch record.kind {
    case .root:
      nodes[record.inode] = .root
      return nil
    case .create: return .create(newNode(record.inode), path: record.name)
    case .makeFolder: return .makeFolder(newNode(record.inode), path: record.name)
    case .write, .durableWrite:
      let durable = record.kind == .durableWrite
      return node.map {
        .write($0, offset: record.offset, bytes: record.data, durable: durable)
      }
    case .resize: return node.map { .resize($0, size: record.offset) }
    case .rename: return .rename(from: record.name, to: second())
    case .link: return .link(from: record.name, to: second())
    case .remove: return .remove(path: record.name)
    case .flush: return node.map { .flush($0) }
    case .flushAll: return .flushAll
    case .acknowledge: return .acknowledge(record.data)
    }
  }
}
