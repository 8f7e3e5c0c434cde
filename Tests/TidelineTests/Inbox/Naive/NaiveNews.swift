import Tideline

/// What a fact, an alert or a saving says of an object: of some fields a value, of some that there
/// is none, of the others nothing (8).
struct NaiveNews: Hashable {
  var said: [ObjectField: NaiveValue?] = [:]
  /// The fields as they came, for `known`.
  var fields: Set<ObjectField> = []
  var version: Int64?
  var isWhole = false

  /// Nothing.
  init() {}

  /// What fields say of an object of a class.
  init(_ objectClass: ObjectClass, _ object: ObjectFields) {
    version = object.integer(.version)
    isWhole = object.change == .whole
    fields = Set(Self.fields(of: objectClass).filter(object.has))
    for field in fields { said[field] = .some(NaiveValue(field, of: object)) }
    unite([.tags, .labels, .folders], into: .tags)
    unite([.fileIDs, .files], into: .fileIDs)
    // A rich message may have fields that only a push brought.
    if isWhole, objectClass != .rich { clearAbsent(objectClass) }
    if object.has(.version) { fields.insert(.version) }
  }

  /// Everything that a base has.
  init(all base: NaiveFields) {
    said = base.values.mapValues { .some($0) }
  }

  /// Fields that hold parts of one list.
  private mutating func unite(_ parts: [ObjectField], into one: ObjectField) {
    let present = parts.filter { said[$0] != nil }
    guard !present.isEmpty else { return }
    var ids: [String] = []
    for field in present {
      if case .ids(let more)?? = said[field] { ids += more.filter { !ids.contains($0) } }
      said[field] = nil
    }
    said[one] = .some(.ids(ids))
  }

  private mutating func clearAbsent(_ objectClass: ObjectClass) {
    for field in Self.fields(of: objectClass) {
      let isPart = [.labels, .folders, .files].contains(field)
      let isFlagOfTags = objectClass == .thread && [.isUnread, .isStarred].contains(field)
      if !isPart, !isFlagOfTags, said[field] == nil { said[field] = .some(nil) }
    }
  }
}

extension NaiveNews {
  /// Whether a flag is said to be set; `nil` where nothing is said of it.
  func tells(_ field: ObjectField) -> Bool? { said[field].map { $0 == .boolean(true) } }

  /// Whether an object of a class is said to have a tag; `nil` where nothing is said of it.
  func tells(tag: String, _ objectClass: ObjectClass) -> Bool? {
    let flags: [String: ObjectField] =
      objectClass == .thread
      ? ["unread": .isUnread, "starred": .isStarred] : ["starred": .isStarred]
    if let flag = flags[tag], let told = tells(flag) { return told }
    guard let list = said[.tags] else { return nil }
    let isListed = if case .ids(let ids) = list { ids.contains(tag) } else { false }
    // That no label is the star says nothing of it where stars are told apart from labels.
    return objectClass == .message && tag == "starred" && !isListed ? nil : isListed
  }

  /// Puts what is said into the values of an object of a class.
  func put(into values: inout NaiveFields, _ objectClass: ObjectClass) {
    let isThread = objectClass == .thread
    for (field, value) in said where !(isThread && [.isUnread, .isStarred].contains(field)) {
      values[field] = value
    }
    switch objectClass {
    case .thread:
      put(.isUnread, asTag: "unread", into: &values)
      put(.isStarred, asTag: "starred", into: &values)
    case .message, .draft:
      if values.ids(.tags).contains("starred") {
        values.changeTags(.message, removing: [], adding: ["starred"])
      }
    default: break
    }
  }

  private func put(_ flag: ObjectField, asTag tag: String, into values: inout NaiveFields) {
    guard let isSet = tells(flag) else { return }
    values.changeTags(.thread, removing: isSet ? [] : [tag], adding: isSet ? [tag] : [])
  }
}
