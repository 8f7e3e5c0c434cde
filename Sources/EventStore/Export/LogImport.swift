import LMDB

/// Creates a log from the lines of an exported one as they arrive.
struct LogImport {
  private let folder: Folder
  private var writer: LogRewriter?
  private var head: ExportHead?
  /// The beginning of a line whose end has not arrived.
  private var rest: [UInt8] = []
  private var payload: [UInt8] = []
  private var line = 0
  private var chain = Chain(0)
  private var number = RecordNumber.zero
  private var isInBaseline = false
  /// The values found so far, to be compared with the manifest.
  private var found = ExportManifest()
  private(set) var manifest: ExportManifest?

  /// - Parameter folder: The new log's folder.
  init(into folder: Folder) { self.folder = folder }

  /// Processes more bytes.
  ///
  /// - Throws: ``ImportError``, `LMDBError`.
  mutating func take(_ bytes: [UInt8]) throws {
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if rest.isEmpty {
        try take(line: bytes.raw.extracting(start..<end))
      } else {
        rest += bytes[start..<end]
        let whole = rest
        rest.removeAll(keepingCapacity: true)
        try take(line: whole.raw)
      }
      start = end + 1
    }
    rest += bytes[start...]
    guard rest.count <= ExportFormat.lineBytesMax else {
      if head == nil { throw ImportError.notAnExport }
      throw ImportError.line(line + 1, reason: "the line is too long")
    }
  }

  /// Flushes everything to storage, once all bytes have been processed.
  mutating func finish() throws -> ImportReport {
    if !rest.isEmpty {
      let whole = rest
      rest = []
      do { try take(line: whole.raw) } catch {
        guard head != nil, !whole.isWholeObject else { throw error }
        throw ImportError.cutOff(behindLine: line - 1)
      }
    }
    guard let head else { throw ImportError.notAnExport }
    guard let manifest else { throw ImportError.cutOff(behindLine: line) }
    try writer?.finish()
    return ImportReport(store: head.id, manifest: manifest, isRedacted: head.isRedacted)
  }

  private mutating func take(line bytes: RawSpan) throws {
    line += 1
    do {
      guard manifest == nil else {
        throw ExportScanner.Fault("text follows the manifest")
      }
      var scanner = ExportScanner(bytes)
      if writer == nil { return try begin(try scanner.head(), bytes) }
      payload.removeAll(keepingCapacity: true)
      switch try scanner.line(payload: &payload) {
      case .head: break
      case .record(let number, let header): try append(number, header)
      case .manifest(let manifest): return try close(manifest)
      }
      note(bytes)
    } catch let fault as ExportScanner.Fault {
      throw ImportError.line(line, reason: fault.reason)
    }
  }

  private mutating func note(_ bytes: RawSpan) {
    found.checksum = Checksum.of(bytes, continuing: found.checksum)
    found.checksum = Checksum.of(Self.lineEnd.raw, continuing: found.checksum)
  }

  private static let lineEnd = [UInt8(ascii: "\n")]

  private mutating func begin(_ head: ExportHead, _ bytes: RawSpan) throws {
    var random = SystemRandomNumberGenerator()
    var store = StoreRecord(inode: 0, using: &random)
    (store.id, store.secret) = (head.id, head.secret)
    (store.generation, store.erasures) = (head.generation, head.erasures)
    (store.floor, store.floorChain) = (head.floor, head.chain)
    var writer = try LogRewriter(in: folder, store)
    if head.hasBaseline {
      writer.beginBaseline(in: KeySpace.baselines.lowerBound)
      chain = Chain(Baseline(upTo: head.floor, of: head.id, in: 1).beginning.chain)
    } else {
      chain = Chain(head.chain)
    }
    (self.head, self.writer, isInBaseline) = (head, writer, head.hasBaseline)
    note(bytes)
  }

  private mutating func append(_ number: RecordNumber, _ header: RecordHeader) throws {
    guard let head else { return }
    if isInBaseline, number > head.floor {
      (isInBaseline, self.number, chain) = (false, head.floor, Chain(head.chain))
    } else if !isInBaseline, self.number < head.floor {
      self.number = head.floor
    }
    guard isInBaseline ? number > self.number : number == self.number.advanced(by: 1) else {
      throw ExportScanner.Fault("record \(number) is out of order")
    }
    chain = chain.extended(by: number, header)
    guard chain.value == header.chain else {
      throw ExportScanner.Fault("record \(number) was changed, or follows another record")
    }
    let written = payload
    if isInBaseline {
      try writer?.appendBaseline(number, header, written.raw)
    } else {
      try writer?.append(header, written.raw)
    }
    self.number = number
    found.records += 1
    found.payloadBytes += UInt64(payload.count)
  }

  private mutating func close(_ manifest: ExportManifest) throws {
    guard manifest.records == found.records, manifest.payloadBytes == found.payloadBytes,
      manifest.last == number || found.records == 0, manifest.chain == chain.value
    else { throw ExportScanner.Fault("the manifest describes other records") }
    guard manifest.checksum == found.checksum else {
      throw ExportScanner.Fault("the manifest's checksum does not match the lines")
    }
    self.manifest = manifest
  }
}

/// The result of an import.
public struct ImportReport: Hashable, Sendable {
  /// The store that the log belongs to.
  public let store: StoreID
  /// The manifest of the lines, which was verified against them.
  public let manifest: ExportManifest
  /// Whether texts had been replaced.
  public let isRedacted: Bool
}

extension Log {
  /// Creates a log from the lines of an exported one, in a folder that contains no log.
  ///
  /// The new log has the same records with the same numbers and the same chain, and belongs to a
  /// new incarnation of the same store: replaying it gives the same result. If the import fails,
  /// the folder contains no log.
  ///
  /// - Parameters:
  ///   - folder: The new log's folder, which must exist.
  ///   - next: Returns the next bytes of the lines, or `nil` after the last.
  /// - Throws: ``ImportError``; ``LogError``, including `occupied` if the folder contains a log;
  ///   any error of `next`.
  /// - Complexity: O(n log n), using memory for one part and a few thousand records.
  public static func importing(
    into folder: String, _ next: () throws -> [UInt8]?
  ) throws -> ImportReport {
    var failure: (any Error)?
    // Errors of the lines, or of their source, are not errors of the new log.
    func given<R>(_ body: () throws -> R) throws(LMDBError) -> R {
      do { return try body() } catch {
        failure = error
        throw LMDBError(.undecodable, "import")
      }
    }
    do throws(LogError) {
      return try LogNursery.make(in: Folder(folder)) { nursery throws(LMDBError) in
        do {
          var log = LogImport(into: nursery)
          while let bytes = try given(next) { try log.take(bytes) }
          return try log.finish()
        } catch let error as LMDBError {
          throw error
        } catch {
          return try given { throw error }
        }
      }
    } catch {
      throw failure ?? error
    }
  }
}

extension [UInt8] {
  /// Whether the bytes form a JSON object with an end, whatever it contains.
  fileprivate var isWholeObject: Bool {
    var (depth, isText, isEscaped) = (0, false, false)
    for byte in self {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isText: isEscaped = true
      case UInt8(ascii: "\""): isText.toggle()
      case UInt8(ascii: "{") where !isText: depth += 1
      case UInt8(ascii: "}") where !isText: depth -= 1
      default: break
      }
    }
    return contains(UInt8(ascii: "{")) && depth <= 0 && !isText
  }
}
