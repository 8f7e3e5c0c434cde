import EventStore
import Testing
import Tideline

/// Payloads as real senders write them, and the expected result of each.
struct PushSample: Sendable, CustomTestStringConvertible {
  let name: String
  let keys: PushKeys
  let json: String
  /// The expected result; see ``outcome(of:)``.
  let expected: [String]

  var testDescription: String { name }

  /// Returns a payload's kind, its event and the JSON in it; or the error.
  static func outcome(of json: String, by keys: PushKeys) -> [String] {
    do throws(PushError) {
      let payload = try PushPayload(json: Array(json.utf8))
      return lines(of: try payload.received(by: keys))
    } catch {
      return ["error \(error)"]
    }
  }

  private static func lines(of push: ReceivedPush) -> [String] {
    var lines = ["\(push.kind)"]
    let event = push.event(isForeground: false)
    if let event { lines.append(event.line) }
    if push.customKeys != "{}" { lines.append("custom \(push.customKeys)") }
    let unknown =
      (event as? AlertArrived)?.message.json(.unknown)
      ?? (event as? SilentPushArrived)?.unknown?.bytes
    if let unknown { lines.append("unknown \(String(decoding: unknown, as: UTF8.self))") }
    return lines
  }
}

extension PushSample {
  static let all = marketingCloud + engage + inbox

  private static let marketingCloud = [
    PushSample(
      name: "alert with a message", keys: .marketingCloud,
      json: #"""
        {"aps":{"alert":{"title":"Sale","subtitle":"Today","body":"Everything"},"sound":"default",
        "badge":3,"mutable-content":1,"category":"Example"},"_sid":"SFMC","_m":"NDIyOjExNDow",
        "_r":"4f2c","_h":"abc=","_mt":8,"_x":"https://cloud.example/p",
        "_mediaUrl":"https://e/p.png",
        "_mediaAlt":"A picture","price":12.50,"vip":true}
        """#,
      expected: [
        "message",
        """
        alert arrived id=“NDIyOjExNDow” unknown=64 bytes messageType=8 alert=“Everything” \
        title=“Sale” subtitle=“Today” url=“https://cloud.example/p” sound=“default” \
        customKeys=26 bytes mediaURL=“https://e/p.png” mediaText=“A picture” messageHash=“abc=” \
        requestID=“4f2c” badge=3
        """,
        #"custom {"price":12.50,"vip":true}"#,
        #"unknown {"_sid":"SFMC","aps":{"category":"Example","mutable-content":1}}"#,
      ]),
    PushSample(
      name: "alert as a text, names at the top, numbers as texts", keys: .marketingCloud,
      json: #"""
        {"aps":{"alert":"Shown","badge":"4"},"alert":"Everything","title":"Sale","subtitle":"Now",
        "sound":"bell","_sid":"SFMC","_m":"m1","_mt":"8","_r":7}
        """#,
      expected: [
        "message",
        """
        alert arrived id=“m1” unknown=39 bytes messageType=8 alert=“Everything” title=“Sale” \
        subtitle=“Now” sound=“bell” requestID=“7” badge=4
        """,
        #"unknown {"_sid":"SFMC","aps":{"alert":"Shown"}}"#,
      ]),
    PushSample(
      name: "a direct address goes before a page", keys: .marketingCloud,
      json: #"{"_sid":"SFMC","_m":"m1","_mt":8,"_x":"https://page","_od":"app://there"}"#,
      expected: [
        "message", "alert arrived id=“m1” unknown=35 bytes messageType=8 url=“app://there”",
        #"unknown {"_sid":"SFMC","_x":"https://page"}"#,
      ]),
    PushSample(
      name: "an empty direct address is none", keys: .marketingCloud,
      json: #"{"_sid":"SFMC","_m":"m1","_mt":8,"_x":"https://page","_od":""}"#,
      expected: [
        "message", "alert arrived id=“m1” unknown=24 bytes messageType=8 url=“https://page”",
        #"unknown {"_od":"","_sid":"SFMC"}"#,
      ]),
    PushSample(
      name: "internal names are not the application's", keys: .marketingCloud,
      json: #"""
        {"_sid":"SFMC","_m":"m1","_mt":8,"_new":1,"contentType":2,"messageDeleted":0,
        "messageHash":"h","requestId":"r","statusDirty":1,"messageType":8,"mine":{"a":[null,1.0]},
        "gcm.n.e":"1","title":null}
        """#,
      expected: [
        "message", "alert arrived id=“m1” unknown=139 bytes messageType=8 customKeys=38 bytes",
        #"custom {"mine":{"a":[null,1.0]},"title":null}"#,
        """
        unknown {"_new":1,"_sid":"SFMC","contentType":2,"gcm.n.e":"1","messageDeleted":0,\
        "messageHash":"h","messageType":8,"requestId":"r","statusDirty":1}
        """,
      ]),
    PushSample(
      name: "an alert without a message", keys: .marketingCloud,
      json: #"{"aps":{"alert":"Hi"},"_sid":"SFMC","_m":"m1","_mt":1,"screen":"home"}"#,
      expected: ["plain", #"custom {"screen":"home"}"#]),
    PushSample(
      name: "an alert by a name in the application's texts", keys: .marketingCloud,
      json: #"{"aps":{"alert":{"loc-key":"HELLO"}},"_sid":"SFMC","_mt":1}"#, expected: ["plain"]),
    PushSample(
      name: "a message that came without an alert", keys: .marketingCloud,
      json: #"{"aps":{"content-available":1,"badge":5},"_sid":"SFMC"}"#,
      expected: [
        "refresh", "silent push arrived purpose=refresh badge=5 unknown=45 bytes",
        #"unknown {"_sid":"SFMC","aps":{"content-available":1}}"#,
      ]),
    PushSample(
      name: "a badge alone", keys: .marketingCloud, json: #"{"aps":{"badge":0},"_sid":"SFMC"}"#,
      expected: [
        "badge", "silent push arrived purpose=badge badge=0 unknown=15 bytes",
        #"unknown {"_sid":"SFMC"}"#,
      ]),
    PushSample(
      name: "a silent push for the application", keys: .marketingCloud,
      json: #"{"_sid":"SFMC","mine":1}"#,
      expected: [
        "silent", "silent push arrived purpose=other unknown=24 bytes", #"custom {"mine":1}"#,
        #"unknown {"_sid":"SFMC","mine":1}"#,
      ]),
    PushSample(
      name: "a message without an id", keys: .marketingCloud,
      json: #"{"aps":{"alert":"Hi"},"_sid":"SFMC","_mt":8}"#,
      expected: ["error \(PushError.noID)"]),
    PushSample(
      name: "a message with an empty id", keys: .marketingCloud,
      json: #"{"_sid":"SFMC","_mt":8,"_m":""}"#, expected: ["error \(PushError.noID)"]),
    PushSample(
      name: "a message with an id of another type", keys: .marketingCloud,
      json: #"{"_sid":"SFMC","_mt":8,"_m":["m1"]}"#, expected: ["error \(PushError.noID)"]),
    PushSample(
      name: "somebody else's", keys: .marketingCloud,
      json: #"{"aps":{"alert":"Hi"},"_sid":"OTHER","_m":"m1","_mt":8}"#, expected: ["notOurs"]),
    PushSample(
      name: "nobody's", keys: .marketingCloud, json: #"{"aps":{"content-available":1}}"#,
      expected: ["notOurs"]),
    PushSample(
      name: "cut off behind the id", keys: .marketingCloud,
      json: #"{"_sid":"SFMC","_mt":8,"_m":"m1","aps":{"alert":{"title":"Sale","body":"Every"#,
      expected: [
        "message", "alert arrived id=“m1” unknown=15 bytes messageType=8 title=“Sale”",
        #"unknown {"_sid":"SFMC"}"#,
      ]),
    PushSample(
      name: "cut off before the id", keys: .marketingCloud,
      json: #"{"_sid":"SFMC","_mt":8,"aps":{"alert":"Hi"},"_m":"m"#,
      expected: ["error \(PushError.cutOff)"]),
    PushSample(
      name: "cut off before it can be told what it is", keys: .marketingCloud,
      json: #"{"_sid":"SFMC","_m":"m1","aps":{"alert":"Hi"},"_m"#,
      expected: ["error \(PushError.cutOff)"]),
    PushSample(
      name: "cut off before it can be told whose it is", keys: .marketingCloud,
      json: #"{"aps":{"alert":"Hi"},"_si"#, expected: ["error \(PushError.cutOff)"]),
    PushSample(
      name: "no object", keys: .marketingCloud, json: "[]",
      expected: ["error \(PushError.malformed(offset: 0))"]),
    PushSample(
      name: "no JSON", keys: .marketingCloud, json: "{_sid:SFMC}",
      expected: ["error \(PushError.malformed(offset: 1))"]),
  ]

  private static let engage = [
    PushSample(
      name: "a rich message without its content", keys: .engage,
      json: #"""
        {"aps":{"alert":"Look"},"uniqueID":17,"isRich":"YES","isSilent":0,"title":"News",
        "body":"More","badge":2,"extraFields":{"apx_dpl":"app://a?b=c","own":[1,2]},
        "pushAction":"open"}
        """#,
      expected: [
        "message",
        """
        alert arrived id=“17” unknown=72 bytes alert=“More” title=“News” customKeys=13 bytes \
        deepLink=“app://a?b=c” badge=2
        """,
        #"custom {"own":[1,2]}"#,
        #"unknown {"aps":{"alert":"Look"},"isRich":"YES","isSilent":0,"pushAction":"open"}"#,
      ]),
    PushSample(
      name: "a rich message with its content", keys: .engage,
      json: #"""
        {"uniqueID":"17","isRich":true,"title":"News","content":"<p>Hi</p>",
        "postDateUTC":"2023-11-14 22:13:20","postDate":"Nov 14, 2023 at 11:13 PM",
        "messageLink":"https://m/17","isRead":true}
        """#,
      expected: [
        "wholeMessage",
        """
        alert arrived id=“17” change=whole unknown=29 bytes body=“<p>Hi</p>” \
        date=2023-11-14T22:13:20.000Z dateText=“2023-11-14 22:13:20” \
        localDate=2023-11-14T23:13:00.000Z localDateText=“Nov 14, 2023 at 11:13 PM” title=“News” \
        messageLink=“https://m/17”
        """,
        #"unknown {"isRead":true,"isRich":true}"#,
      ]),
    PushSample(
      name: "a rich message with a date that can't be read", keys: .engage,
      json: #"{"uniqueID":17,"isRich":1,"postDateUTC":"soon","postDate":{}}"#,
      expected: [
        "message", "alert arrived id=“17” unknown=26 bytes dateText=“soon”",
        #"unknown {"isRich":1,"postDate":{}}"#,
      ]),
    PushSample(
      name: "a rich message without members of the application's", keys: .engage,
      json: #"{"uniqueID":17,"isRich":1,"extraFields":{}}"#,
      expected: [
        "message", "alert arrived id=“17” unknown=29 bytes",
        #"unknown {"extraFields":{},"isRich":1}"#,
      ]),
    PushSample(
      name: "a push that is not rich", keys: .engage,
      json: #"{"uniqueID":18,"isRich":"false","alert":"Hi","extraFields":{"apx_dpl":"app://x"}}"#,
      expected: ["plain"]),
    PushSample(
      name: "the server asks for a refresh", keys: .engage,
      json: #"{"isTriggerUpdate":1,"aps":{"content-available":1}}"#,
      expected: [
        "refresh", "silent push arrived purpose=refresh unknown=51 bytes",
        #"unknown {"aps":{"content-available":1},"isTriggerUpdate":1}"#,
      ]),
    PushSample(
      name: "a silent push with a text", keys: .engage,
      json: #"{"uniqueID":19,"isSilent":true,"alert":"Hi","extraFields":{"a":1}}"#,
      expected: [
        "silent", "silent push arrived purpose=other unknown=66 bytes", #"custom {"a":1}"#,
        #"unknown {"alert":"Hi","extraFields":{"a":1},"isSilent":true,"uniqueID":19}"#,
      ]),
    PushSample(
      name: "somebody else's", keys: .engage, json: #"{"aps":{"alert":"Hi"},"isRich":true}"#,
      expected: ["notOurs"]),
  ]

  private static let inbox = [
    PushSample(
      name: "a message", keys: .tideline,
      json: #"""
        {"aps":{"alert":{"body":"Lunch?"},"badge":1},"mine":"x","inbox":{"id":"m1","requestID":"1",
        "account":"a1","subject":"Lunch","sendDate":1700000000,"custom":{"k":[true]},"new":0}}
        """#,
      expected: [
        "message",
        """
        alert arrived id=“m1” unknown=19 bytes namespace=“a1” subject=“Lunch” \
        date=2023-11-14T22:13:20.000Z dateText=“1700000000” alert=“Lunch?” custom=12 bytes \
        customKeys=12 bytes requestID=“1” badge=1
        """,
        #"custom {"mine":"x"}"#, #"unknown {"inbox":{"new":0}}"#,
      ]),
    PushSample(
      name: "a whole message", keys: .tideline,
      json: #"{"inbox":{"id":"m1","content":"Hi","endDate":1700000000000,"isWhole":true}}"#,
      expected: [
        "wholeMessage",
        """
        alert arrived id=“m1” change=whole unknown=26 bytes body=“Hi” \
        endDate=2023-11-14T22:13:20.000Z endDateText=“1700000000000”
        """, #"unknown {"inbox":{"isWhole":true}}"#,
      ]),
    PushSample(
      name: "a whole message that is cut off", keys: .tideline,
      json: #"{"inbox":{"isWhole":true,"id":"m1","content":"H"#,
      expected: [
        "message", "alert arrived id=“m1” unknown=26 bytes", #"unknown {"inbox":{"isWhole":true}}"#,
      ]),
    PushSample(
      name: "there is something to fetch", keys: .tideline, json: #"{"inbox":{"refresh":1}}"#,
      expected: [
        "refresh", "silent push arrived purpose=refresh unknown=23 bytes",
        #"unknown {"inbox":{"refresh":1}}"#,
      ]),
    PushSample(
      name: "what may be done with data", keys: .tideline,
      json: #"{"inbox":{"privacy":"doNotTrack","refresh":1}}"#,
      expected: [
        "privacy", "silent push arrived purpose=privacy unknown=46 bytes",
        #"unknown {"inbox":{"privacy":"doNotTrack","refresh":1}}"#,
      ]),
    PushSample(
      name: "a message without an id", keys: .tideline, json: #"{"inbox":{"subject":"Lunch"}}"#,
      expected: ["error \(PushError.noID)"]),
    PushSample(
      name: "an id over the limit", keys: .tideline,
      json: #"{"inbox":{"id":"\#(String(repeating: "é", count: 501))"}}"#,
      expected: ["error \(PushError.noID)"]),
  ]
}
