import EventStore
import TestSupport

/// A toy collection with a field of each kind, and numbers that no field has.
enum Parcel {
  enum Size: Int, FieldValue { case small, large }

  static let weight = Field<Int>("weight", 1)
  static let isFragile = Field<Bool>("isFragile", 2)
  static let sentAt = Field<Timestamp>("sentAt", 4)
  static let price = Field<Double>("price", 5)
  static let name = Field<String>("name", 6)
  static let note = Field<TextReference>("note", 7)
  static let tags = Field<[String]>("tags", 8)
  static let sender = Field<RowID>("sender", 9)
  static let size = Field<Size>("size", 12)
  static let street = Field<String>("street", 13)
  static let photo = Field<TextReference>("photo", 14)

  static let all = RowCollection(
    "parcels", number: 3, weight, isFragile, sentAt, price, name, note, tags, sender, size, street,
    photo)
}

/// What a parcel's row should hold.
struct ParcelModel: Equatable {
  var id: String
  var weight: Int?
  var isFragile: Bool?
  var sentAt: Timestamp?
  var price: Double?
  var name: String?
  var note: TextReference?
  var tags: Set<String>?
  var sender: RowID?
  var size: Parcel.Size?
  var street: String?
  var photo: TextReference?

  /// Reads the values of a row.
  init(_ row: Row) {
    self.init(id: row.id)
    weight = row[Parcel.weight]
    isFragile = row[Parcel.isFragile]
    sentAt = row[Parcel.sentAt]
    price = row[Parcel.price]
    name = row[Parcel.name]
    note = row[Parcel.note]
    tags = row[Parcel.tags].map(Set.init)
    sender = row[Parcel.sender]
    size = row[Parcel.size]
    street = row[Parcel.street]
    photo = row[Parcel.photo]
  }

  init(id: String) { self.id = id }

  /// Writes every value into a row.
  func write(into row: inout MutableRow) {
    row[Parcel.photo] = photo
    row[Parcel.street] = street
    row[Parcel.weight] = weight
    row[Parcel.isFragile] = isFragile
    row[Parcel.sentAt] = sentAt
    row[Parcel.tags] = tags.map(Array.init)
    row[Parcel.price] = price
    row[Parcel.name] = name
    row[Parcel.note] = note
    row[Parcel.sender] = sender
    row[Parcel.size] = size
  }

  /// Returns a row with these values, made in one go.
  func row() throws -> Row { try Row(id, in: Parcel.all) { write(into: &$0) } }

  /// The model without the values that only reducers see.
  var visible: ParcelModel {
    var copy = self
    copy.sender = nil
    return copy
  }

  /// The model without the places of references, which are not compared.
  var compared: ParcelModel {
    var copy = visible
    copy.note = note.map { TextReference(record: 0, field: 0, digest: $0.digest) }
    copy.photo = photo.map { TextReference(record: 0, field: 0, digest: $0.digest) }
    return copy
  }

  /// Changes one field of the model; returns a closure that writes the model into a row.
  mutating func change(using random: inout SeededGenerator) -> (inout MutableRow) -> Void {
    let isNil = Int.random(in: 0..<4, using: &random) == 0
    switch Int.random(in: 0..<11, using: &random) {
    case 0: weight = isNil ? nil : .random(in: -3...3, using: &random)
    case 1: isFragile = isNil ? nil : .random(using: &random)
    case 2: sentAt = isNil ? nil : Timestamp(rawValue: .random(in: 0...3, using: &random))
    case 3: price = isNil ? nil : [0, 1.5, -2, .infinity].randomElement(using: &random)
    case 4: name = isNil ? nil : .sample(using: &random)
    case 5: note = isNil ? nil : .sample(using: &random)
    case 6:
      let count = Int.random(in: 0..<4, using: &random)
      tags = isNil ? nil : Set((0..<count).map { _ in .sample(using: &random) })
    case 7: sender = isNil ? nil : RowID(rawValue: .random(in: 1...9, using: &random))
    case 8: size = isNil ? nil : .random(using: &random) ? .small : .large
    case 9: street = isNil ? nil : .sample(using: &random)
    default: photo = isNil ? nil : .sample(using: &random)
    }
    let copy = self
    return { copy.write(into: &$0) }
  }

  /// Returns a parcel with some random values.
  static func sample(id: String, using random: inout SeededGenerator) -> ParcelModel {
    var model = ParcelModel(id: id)
    for _ in 0..<Int.random(in: 0..<12, using: &random) { _ = model.change(using: &random) }
    return model
  }
}

extension String {
  static func sample(using random: inout SeededGenerator) -> String {
    let words = ["", "a", "Grüße", "zwölf Boxkämpfer", "parcel", String(repeating: "x", count: 40)]
    return words.randomElement(using: &random) ?? ""
  }
}

extension TextReference {
  static func sample(using random: inout SeededGenerator) -> TextReference {
    TextReference(
      record: RecordNumber(rawValue: .random(in: 1...4, using: &random)),
      field: .random(in: 0...2, using: &random), digest: .random(in: 0...2, using: &random))
  }
}
