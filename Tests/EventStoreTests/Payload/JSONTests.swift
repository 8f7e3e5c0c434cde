import EventStore
import Foundation
import TestSupport
import Testing

@Suite struct JSONTests {
  @Test func everyType_asJSON_isTheGoldenText() {
    #expect(
      PayloadFields.everyType.json() == """
        {"1":null,"2":false,"3":true,"4":-1,"5":9223372036854775807,"6":-0.5,"7":"né",\
        "15":{"base64":"AP8="},"16":{"1":"","9":{}},"268435456":[null,64,[true]]}
        """)
  }

  @Test func fields_named_haveTheNamesOfTheirPaths() {
    let fields: PayloadFields = [
      1: .text("Lunch?"), 2: .list([.fields([1: .integer(4), 3: .null])]),
    ]
    let names: [[Int]: String] = [[1]: "subject", [2]: "parts", [2, 1]: "size"]
    #expect(fields.json { names[$0] } == #"{"subject":"Lunch?","parts":[{"size":4,"3":null}]}"#)
  }

  @Test func doubles_asJSON_areTheirShortestForm() {
    let doubles: [(Double, String)] = [
      (0, "0.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e20, "1e+20"), (.leastNonzeroMagnitude, "5e-324"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (1 / 3, "0.3333333333333333"),
      (.infinity, #""inf""#), (-.infinity, #""-inf""#), (.nan, #""nan""#), (-.nan, #""nan""#),
    ]
    for (double, text) in doubles { #expect(JSONWriter.text { $0.number(double) } == text) }
  }

  @Test func digits_asJSON_areThemselves() {
    let text = JSONWriter.text { json in
      json.array { json in
        json.number(verbatim: "1.50")
        json.number(verbatim: "-1e400")
      }
    }
    #expect(text == "[1.50,-1e400]")
  }

  @Test func randomDoubles_asJSON_readBackBitForBit() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<10_000 {
      let double = Double(bitPattern: generator.next())
      guard double.isFinite else { continue }
      let text = JSONWriter.text { $0.number(double) }
      #expect(Double(text)?.bitPattern == double.bitPattern, "\(text)")
    }
  }

  @Test func text_asJSON_isEscapedWhereItMustBe() {
    let text = "\"\\/\u{8}\u{c}\n\r\t\0\u{1F}\u{7F}\u{9B}é\u{2028}🐚"
    #expect(
      JSONWriter.text { $0.string(text) }
        == #""\"\\/\u0008\u000c\n\r\t\u0000\u001f\u007f\u009b"# + "é\u{2028}🐚\"")
  }

  @Test func bytes_asJSON_areBase64() {
    let texts = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
    for (count, text) in texts.enumerated() {
      let fields: PayloadFields = [1: .bytes(Array("foobar".utf8.prefix(count)))]
      #expect(fields.json() == #"{"1":{"base64":"\#(text)"}}"#)
    }
  }

  @Test func randomFields_asJSON_areWhatAnotherReaderFindsInThem() throws {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let fields = PayloadFields.random(depth: 4, using: &generator)
      let read = try JSONSerialization.jsonObject(with: Data(fields.json().utf8))
      if !matches(.fields(fields), read) { Issue.record("seed \(seed)") }
    }
  }

  /// Whether `read` is the JSON form of `value`.
  private func matches(_ value: PayloadValue, _ read: Any?) -> Bool {
    switch value {
    case .null: return read is NSNull
    case .boolean(let value): return read as? Bool == value
    case .integer(let value): return (read as? NSNumber)?.int64Value == value
    // Foundation on Linux misreads the last digit of some doubles, so the value is not compared.
    case .double(let value) where value.isFinite: return read is NSNumber
    case .double(let value): return read as? String == (value.isNaN ? "nan" : "\(value)")
    case .text(let value): return (read as? String)?.utf8.elementsEqual(value.utf8) == true
    case .bytes(let value):
      return (read as? [String: String])?["base64"] == Data(value).base64EncodedString()
    case .fields(let fields):
      guard let read = read as? [String: Any], read.count == fields.count else { return false }
      return fields.allSatisfy { matches($0.value, read["\($0.number)"]) }
    case .list(let values):
      guard let read = read as? [Any], read.count == values.count else { return false }
      return zip(values, read).allSatisfy { matches($0, $1) }
    }
  }
}
