import EventStore

/// Interprets a payload by a sender's keys, removing each recognized part from the rest.
struct PushReader {
  private let keys: PushKeys
  private let payload: PushPayload
  private var rest: JSONObject
  private var fields = ObjectFields()
  private var badge: Int?
  /// The path of the badge.
  private var badgePath: [Substring] = []
  /// Whether the push shows or plays anything.
  private var isShown = false

  init(_ payload: PushPayload, _ keys: PushKeys) {
    self.keys = keys
    self.payload = payload
    rest = payload.members
  }

  /// Returns the push as understood.
  ///
  /// - Throws: `noID`, or `cutOff` if the missing part may have been truncated.
  mutating func push() throws(PushError) -> ReceivedPush {
    guard keys.isMet(keys.ours, by: payload.members) else {
      if payload.isCutOff { throw .cutOff }
      return .notOurs
    }
    for field in PushField.allCases { take(field) }
    let kind = kind
    if kind.hasMessage {
      try finishMessage(kind)
    } else if payload.isCutOff {
      throw .cutOff
    }
    return received(kind)
  }

  private var kind: PushKind {
    if isMet(keys.inbox) {
      return isMet(keys.whole) && !payload.isCutOff ? .wholeMessage : .message
    }
    guard isMet(keys.silent) || !isShown && !hasAlert else { return .plain }
    if isMet(keys.privacy) { return .privacy }
    if isMet(keys.refresh) { return .refresh }
    return badge != nil ? .badge : .silent
  }

  /// Whether there is something to show in a form other than a plain text, such as a localization
  /// key.
  private var hasAlert: Bool { payload.members[path: ["aps", "alert"]]?.saysYes == true }

  private func isMet(_ conditions: [String: [String]]) -> Bool {
    keys.isMet(conditions, by: payload.members)
  }

  /// Requires a valid message id and marks a whole message as such.
  private mutating func finishMessage(_ kind: PushKind) throws(PushError) {
    guard let id = fields.id, id.utf8.count <= PushKeys.idBytesMax else {
      throw payload.isCutOff ? .cutOff : .noID
    }
    if kind == .wholeMessage { fields.put(.change, ObjectChange.whole) }
  }

  private mutating func received(_ kind: PushKind) -> ReceivedPush {
    if kind.purpose != nil {
      // The event of a silent push stores no message fields, so only the badge is removed from the
      // rest.
      rest = payload.members
      rest.remove(path: badgePath)
    }
    let (custom, unknown) = parted
    if !custom.isEmpty { fields.put(.customKeys, json: custom.bytes) }
    if !unknown.isEmpty { fields.put(.unknown, json: unknown.bytes) }
    return ReceivedPush(
      kind: kind, fields: fields, badge: badge, customKeys: JSONValue.object(custom).text,
      rest: rest)
  }

  /// The rest, split into the app's own members and others.
  private var parted: (custom: JSONObject, unknown: JSONObject) {
    guard let path = keys.custom?.path else {
      return (rest.filter { !keys.hides($0) }, rest.filter(keys.hides))
    }
    guard case .object(let custom)? = rest[path: path], !custom.isEmpty else {
      return (JSONObject(), rest)
    }
    var unknown = rest
    unknown.remove(path: path)
    return (custom, unknown)
  }
}

// Fields.
extension PushReader {
  /// Takes a field from the first of its names with a suitable value.
  private mutating func take(_ field: PushField) {
    for name in keys.names[field] ?? [] {
      let path = name.path
      guard let value = rest[path: path], put(value, as: field) else { continue }
      rest.remove(path: path)
      if field == .badge { badgePath = path }
      isShown = isShown || [.title, .subtitle, .alert, .sound].contains(field)
      return
    }
  }

  /// Stores a value in a field; returns whether it is suitable.
  private mutating func put(_ value: JSONValue, as field: PushField) -> Bool {
    guard let objectField = field.objectField else {
      badge = value.asInteger.map(Int.init(clamping:))
      return badge != nil
    }
    switch objectField.content {
    case .time: return put(date: value, as: objectField)
    case .integer:
      guard let integer = value.asInteger else { return false }
      fields.put(objectField, integer)
    case .json:
      fields.put(objectField, json: Array(value.text.utf8))
    default:
      guard let text = value.asText, isFit(text, for: objectField) else { return false }
      fields.put(objectField, text)
    }
    return true
  }

  /// Returns whether a row may hold the text; the body may be longer, since it stays in the log.
  private func isFit(_ text: String, for field: ObjectField) -> Bool {
    field == .body || text.utf8.count <= PushPayload.textBytesMax
  }

  /// Stores a date with its original text, or only the text if it can't be parsed.
  private mutating func put(date value: JSONValue, as field: ObjectField) -> Bool {
    guard let text = value.asText else { return false }
    fields.put(field, Timestamp(text: text), text: text)
    return true
  }
}

extension PushPayload {
  /// Interprets the push by a sender's keys.
  package func received(by keys: PushKeys) throws(PushError) -> ReceivedPush {
    var reader = PushReader(self, keys)
    return try reader.push()
  }
}
