import Tideline

/// What a fact, an alert or a saving says about an object: a value for some fields, null for some,
/// and nothing for the others (8).
struct NaiveNews: Hashable {
  var said: [ObjectField: NaiveValue?] = [:]
  /// The original fields, for `known`.
  var fields: Set<ObjectField> = []
  var version: Int64?
  var isWhole = false
  /// Whether a missing state such as `unread` in the list of tags means that it isn't set (18).
  var hasAllTags = false

  /// No news.
  init() {}

  /// The news in the fields of an object of a class.
  init(_ objectClass: ObjectClass, _ object: ObjectFields) {
    version = object.integer(.version)
    isWhole = object.change == .whole
    fields = Set(Self.fields(of: objectClass).filter(object.has))
    for field in fields { said[field] = .some(NaiveValue(field, of: object)) }
    // An unknown word for the state means that the object has none.
    if case .text(let word)?? = said[.state], !Self.states.contains(word) {
      said[.state] = .some(nil)
    }
    hasAllTags = said[.tags] != nil
    unite([.tags, .labels, .folders], into: .tags)
    // Without files, only their ids are said.
    if let files = said[.files] { said[.fileIDs] = files }
    said[.files] = nil
    // A rich message may have fields that only a push brought.
    if isWhole, objectClass != .rich { clearAbsent(objectClass) }
    if object.has(.version) { fields.insert(.version) }
  }

  /// Everything known about a base.
  init(all base: NaiveFields, known: Int64, _ objectClass: ObjectClass) {
    let lists: Set<ObjectField> = [.labels, .folders, .files]
    let fields = Set(Self.fields(of: objectClass)).subtracting(lists).union([.tags, .fileIDs])
    for field in fields where known & Self.bits([field], objectClass) != 0 {
      said[field] = .some(base[field])
    }
    hasAllTags = true
  }

  private static let states: Set = ["sending", "sending_failed", "sent"]

  /// Merges fields that hold parts of one list.
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
    // A message is no draft any more, so it has no field of a draft (16).
    for field in Self.fields(of: objectClass == .message ? .draft : objectClass) {
      let isPart = [.labels, .folders, .files, .body, .unknown].contains(field)
      let isFlagOfTags = objectClass == .thread && [.isUnread, .isStarred].contains(field)
      if !isPart, !isFlagOfTags, said[field] == nil { said[field] = .some(nil) }
    }
    if objectClass != .thread, said[.tags] == nil { said[.tags] = .some(nil) }
    if objectClass == .thread, said[.tags] == .some(nil) { hasAllTags = true }
  }
}

extension NaiveNews {
  /// Returns whether a flag is said to be set; `nil` if nothing is said about it.
  func tells(_ field: ObjectField) -> Bool? { said[field].map { $0 == .boolean(true) } }

  /// Returns whether an object of a class is said to have a tag; `nil` if nothing is said about it.
  ///
  /// A thread's flags say nothing about its tags unless all tags are listed, and lists say nothing
  /// about a message's star (18, 23, 37). Message tags that a list leaves alone are as in the base.
  func tells(tag: String, _ objectClass: ObjectClass, _ base: NaiveFields) -> Bool? {
    if tag == "starred", Self.hasStar(objectClass) { return tells(.isStarred) }
    guard let list = said[.tags] else { return nil }
    if list?.list.contains(tag) ?? false { return true }
    guard NaiveFields.states.contains(tag) else { return false }
    if objectClass == .thread { return hasAllTags ? base.ids(.tags).contains(tag) : nil }
    return hasAllTags ? false : base.ids(.tags).contains(tag)
  }

  /// Applies the news to the values of an object of a class.
  func put(into values: inout NaiveFields, _ objectClass: ObjectClass) {
    let flags: [ObjectField] =
      objectClass == .thread
      ? [.isUnread, .isStarred] : Self.hasStar(objectClass) ? [.isStarred] : []
    for (field, value) in said where field != .tags && !flags.contains(field) {
      values[field] = value
    }
    if let list = said[.tags] { putTags(list?.list ?? [], into: &values, objectClass) }
    for flag in flags {
      let tag = flag == .isUnread ? "unread" : "starred"
      guard let isSet = tells(flag) else { continue }
      values.changeTags(objectClass, removing: isSet ? [] : [tag], adding: isSet ? [tag] : [])
    }
  }

  private static func hasStar(_ objectClass: ObjectClass) -> Bool {
    objectClass == .message || objectClass == .draft
  }

  private func putTags(
    _ tags: [String], into values: inout NaiveFields, _ objectClass: ObjectClass
  ) {
    let kept = hasAllTags ? [] : values.ids(.tags).filter(NaiveFields.states.contains)
    values[.tags] = .ids([])
    values.changeTags(objectClass, removing: [], adding: kept + tags)
  }
}
