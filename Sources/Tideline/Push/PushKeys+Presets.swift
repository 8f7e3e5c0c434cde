extension PushKeys {
  /// The names that the push services themselves define.
  private static let apple: [PushField: [String]] = [
    .title: ["aps/alert/title"],
    .subtitle: ["aps/alert/subtitle"],
    .alert: ["aps/alert/body", "aps/alert"],
    .sound: ["aps/sound", "aps/sound/name"],
    .badge: ["aps/badge"],
  ]

  /// The members that a relay adds to the sender's.
  private static let relayed = ["gcm.*", "google.*"]

  private static func names(_ own: [PushField: [String]]) -> [PushField: [String]] {
    own.merging(apple) { $0 + $1 }
  }

  /// Tideline's own format, for senders that you control: a member `inbox` with a member for each
  /// ``PushField``, under its own name.
  ///
  /// A message in it is a rich message. For mail, send `inbox/refresh`.
  public static let tideline = PushKeys(
    ours: ["inbox": []],
    inbox: ["inbox/id": [], "inbox/subject": [], "inbox/content": []],
    whole: ["inbox/isWhole": []],
    silent: ["inbox/isSilent": []],
    refresh: ["inbox/refresh": []],
    privacy: ["inbox/privacy": []],
    names: names(
      Dictionary(uniqueKeysWithValues: PushField.allCases.map { ($0, ["inbox/\($0.rawValue)"]) })),
    hidden: ["inbox"] + relayed)

  /// The pushes of Salesforce Marketing Cloud.
  public static let marketingCloud = PushKeys(
    ours: ["_sid": ["SFMC"]],
    inbox: ["_mt": ["8"]],
    refresh: ["aps/content-available": []],
    names: names([
      .id: ["_m"],
      .requestID: ["_r"],
      .messageHash: ["_h"],
      .messageType: ["_mt"],
      .url: ["_od", "_x"],
      .mediaURL: ["_mediaUrl"],
      .mediaText: ["_mediaAlt"],
      .title: ["title"],
      .subtitle: ["subtitle"],
      .alert: ["alert"],
      .sound: ["sound"],
    ]),
    hidden: [
      "_*", "contentType", "messageDeleted", "messageHash", "requestId", "statusDirty",
      "messageType",
    ] + relayed)

  /// The pushes of Mapp Engage, by the names of `APXPushNotification` and `APXRichMessage`.
  public static let engage = PushKeys(
    ours: ["uniqueID": [], "isTriggerUpdate": [], "apx_dpl": [], "extraFields/apx_dpl": []],
    inbox: ["isRich": []],
    whole: ["content": []],
    silent: ["isSilent": []],
    refresh: ["isTriggerUpdate": []],
    names: names([
      .id: ["uniqueID"],
      .title: ["title"],
      .subtitle: ["subtitle"],
      .alert: ["alert", "body"],
      .content: ["content"],
      .messageLink: ["messageLink"],
      .deepLink: ["extraFields/apx_dpl", "apx_dpl"],
      .sendDate: ["postDateUTC"],
      .localDate: ["postDate"],
      .sound: ["sound"],
      .badge: ["badge"],
    ]),
    custom: "extraFields",
    hidden: relayed)
}
