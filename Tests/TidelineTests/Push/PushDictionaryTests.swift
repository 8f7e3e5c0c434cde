import Foundation
import TestSupport
import Testing
import Tideline

/// A dictionary, as the system delivers a push, yields the JSON that it was made from.
@Suite struct PushDictionaryTests {
  @Test func values_ofTheLanguage_areTheirJSON() throws {
    let data = Data([1, 2, 255])
    let dictionary: [AnyHashable: Any] = [
      "text": "é", "yes": true, "no": false, "one": 1, "zero": 0, "small": Int8(-1),
      "large": UInt64.max, "half": 0.5, "single": Float(1.25),
      "date": Date(timeIntervalSince1970: 1.5),
      "data": data, "null": NSNull(), "list": [1, "a", [true]] as [Any],
      "inner": ["k": ["l": 1]] as [String: Any], "typed": ["a": 1] as [String: Int],
      "texts": ["a", "b"], "empty": [String: Any](), "none": [Any](),
      "url": URL(string: "https://e/p") as Any,
    ]
    #expect(
      try PushPayload(dictionary).json == """
        {"data":"AQL/","date":"1970-01-01T00:00:01.500Z","empty":{},"half":0.5,\
        "inner":{"k":{"l":1}},"large":18446744073709551615,"list":[1,"a",[true]],"no":false,\
        "none":[],"null":null,"one":1,"single":1.25,"small":-1,"text":"é","texts":["a","b"],\
        "typed":{"a":1},"url":"https://e/p","yes":true,"zero":0}
        """)
  }

  @Test func values_ofFoundation_areTheirJSON() throws {
    let dictionary: [AnyHashable: Any] = [
      "text": NSString("é"), "yes": NSNumber(true), "no": NSNumber(false),
      "one": NSNumber(value: 1), "zero": NSNumber(value: 0), "half": NSNumber(value: 0.5),
      "large": NSNumber(value: UInt64.max), "least": NSNumber(value: Int64.min),
      "exact": NSDecimalNumber(string: "12345678901234567890.5"),
      "nan": NSNumber(value: Double.nan), "date": NSDate(timeIntervalSince1970: 1.5),
      "data": NSData(data: Data([1])), "list": NSArray(array: [NSNumber(true), NSString("a")]),
      "inner": NSDictionary(dictionary: [NSString("k"): NSNumber(value: 2)]),
    ]
    #expect(
      try PushPayload(dictionary).json == """
        {"data":"AQ==","date":"1970-01-01T00:00:01.500Z","exact":12345678901234567890.5,\
        "half":0.5,"inner":{"k":2},"large":18446744073709551615,"least":-9223372036854775808,\
        "list":[true,"a"],"nan":"nan","no":false,"one":1,"text":"é","yes":true,"zero":0}
        """)
  }

  @Test func booleans_areNoNumbers() throws {
    let flags: [Any] = [true, false, NSNumber(true), NSNumber(false), 1, 0, NSNumber(value: 1)]
    let values = try flags.map { try PushPayload(["a": $0]).members["a"] }
    let areBooleans = values.map { if case .boolean? = $0 { true } else { false } }
    #expect(areBooleans == [true, true, true, true, false, false, false])
    #expect(values.map { $0?.asFlag } == [true, false, true, false, true, false, true])
  }

  @Test func sendableDictionary_isTaken() throws {
    let dictionary: [String: any Sendable] = ["a": 1, "b": ["c": true]]
    #expect(try PushPayload(dictionary).json == #"{"a":1,"b":{"c":true}}"#)
  }

  /// Foundation reads the same payload from the same text, except for numbers that it rounds.
  @Test(arguments: PushSample.all.filter { !$0.json.contains("12.50") })
  func samples_readByFoundation_areTheSame(sample: PushSample) throws {
    guard let payload = try? PushPayload(json: Array(sample.json.utf8)), !payload.isCutOff else {
      return
    }
    let object = try JSONSerialization.jsonObject(with: Data(sample.json.utf8))
    let dictionary = try #require(object as? [AnyHashable: Any])
    // Foundation turns 1.0 into 1.
    #expect(try PushPayload(dictionary).json == payload.json.replacing("1.0", with: "1"))
  }

  @Test func values_thatJSONHasNothingFor_areRefused() {
    struct Other {}
    #expect(throws: PushError.foreignValue(type: "Other")) { try PushPayload(["a": Other()]) }
    #expect(throws: PushError.foreignValue(type: "Int")) { try PushPayload([1: "a"]) }
  }

  @Test func limits_areThoseOfJSON() throws {
    var value: Any = 1
    for _ in 1..<PushPayload.nestingLimit { value = ["a": value] }
    #expect(try PushPayload(["a": value]).members.count == 1)
    #expect(throws: PushError.nestedTooDeep) { try PushPayload(["a": ["a": value]]) }
    let long = String(repeating: "a", count: PushPayload.bytesMax)
    #expect(throws: PushError.tooLarge(bytes: PushPayload.bytesMax + 4)) {
      try PushPayload(["a": long])
    }
    let many = [Any](repeating: NSNull(), count: PushPayload.bytesMax)
    #expect(throws: PushError.self) { try PushPayload(["a": many]) }
  }
}
