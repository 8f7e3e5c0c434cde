import Foundation

extension Finding: Encodable {
  private enum Key: String, CodingKey {
    case workload, name = "case", size, at, unit, median, min, max, p99, against, ratio, target, met
    case result
  }

  /// Encodes one flat object, without values that do not apply or were not measured.
  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(workload, forKey: .workload)
    try object.encode(name, forKey: .name)
    try object.encode(size, forKey: .size)
    try object.encodeIfPresent(point?.size, forKey: .at)
    try object.encode(claim.metric.unit, forKey: .unit)
    try object.encodeIfPresent(values?.median, forKey: .median)
    try object.encodeIfPresent(values?.minimum, forKey: .min)
    try object.encodeIfPresent(values?.maximum, forKey: .max)
    try object.encodeIfPresent(tail, forKey: .p99)
    try object.encodeIfPresent(claim.peer, forKey: .against)
    try object.encodeIfPresent(ratio, forKey: .ratio)
    try object.encodeIfPresent(claim.target?.description, forKey: .target)
    try object.encodeIfPresent(met, forKey: .met)
    try object.encode(String(digest, radix: 16), forKey: .result)
  }

  /// Returns an array of one object per finding, with keys in a fixed order.
  package static func json(_ findings: [Finding]) throws -> String {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: figure(.infinity), negativeInfinity: figure(-.infinity), nan: figure(.nan))
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(findings), as: UTF8.self) + "\n"
  }
}
