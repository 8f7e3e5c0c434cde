import LMDB

/// Records with wanted numbers found anywhere in a file, whether or not its tree leads to them.
///
/// A number may have several records, since replaced pages keep their content until they are
/// reused.
struct RecordFinds: ~Copyable {
  /// A record with some number, as a page holds it.
  struct Version {
    let header: RecordHeader
    let bytes: [UInt8]

    /// Returns the chain after this record.
    func chain(at number: RecordNumber, after chain: Chain) -> Chain {
      chain.extended(by: number, bytes.raw, count: header.byteCount)
    }

    /// The chain in the record's own header.
    var chain: Chain { Chain(header.chain) }

    var payload: RawSpan {
      @_lifetime(borrow self) get { bytes.raw.extracting(droppingFirst: header.byteCount) }
    }
  }

  private struct Place {
    let number: UInt64
    let page: UInt64
  }

  private var scan: PageScan
  /// In ascending order of the numbers.
  private var places: [Place] = []

  /// Finds the records with wanted numbers whose payload is intact.
  ///
  /// - Complexity: O(size), with 16 bytes of memory per record.
  init(in file: PageFile, where isWanted: (RecordNumber) -> Bool) {
    scan = PageScan(file)
    scan.visit { key in
      UInt64(bytes: key).map { isWanted(RecordNumber(rawValue: $0)) } ?? false
    } _: { entry in
      guard let key = UInt64(bytes: entry.key) else {
        return
      }
      let record = RecordView(RecordNumber(rawValue: key), entry.value)
      guard record.damage == nil else { return }
      places.append(Place(number: key, page: entry.page))
    }
    places.sort { ($0.number, $0.page) < ($1.number, $1.page) }
  }

  /// Returns the numbers that have a record, from one on, in ascending order.
  func numbers(from first: RecordNumber) -> [RecordNumber] {
    var numbers: [RecordNumber] = []
    for place in places(from: first.rawValue) {
      let number = RecordNumber(rawValue: place.number)
      if numbers.last != number { numbers.append(number) }
    }
    return numbers
  }

  /// Returns the distinct records with a number, erased ones first so that erased data stays
  /// erased.
  mutating func versions(of number: RecordNumber) -> [Version] {
    var versions: [Version] = []
    for place in places(from: number.rawValue) {
      guard place.number == number.rawValue else { break }
      scan.visit(page: place.page, where: { UInt64(bytes: $0) == number.rawValue }) { entry in
        guard let header = RecordHeader(entry.value) else { return }
        let bytes = entry.value.array
        guard !versions.contains(where: { $0.bytes == bytes }) else { return }
        versions.append(Version(header: header, bytes: bytes))
      }
    }
    return versions.filter(\.header.isErased) + versions.filter { !$0.header.isErased }
  }

  private func places(from number: UInt64) -> ArraySlice<Place> {
    places[places.lowerBound(where: { $0.number < number })...]
  }
}
