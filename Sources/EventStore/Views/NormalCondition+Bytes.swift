import LMDB

/// The bytes that a condition's hash is computed from; each part is self-delimiting.
extension NormalCondition {
  /// The bytes of this condition and no other.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  private func append(to bytes: inout [UInt8]) {
    switch self {
    case .constant(let value): bytes.append(value ? 2 : 1)
    case .test(let test):
      bytes.append(3)
      test.append(to: &bytes)
    case .all(let parts): Self.append(parts, 4, to: &bytes)
    case .any(let parts): Self.append(parts, 5, to: &bytes)
    }
  }

  private static func append(_ parts: [NormalCondition], _ tag: UInt8, to bytes: inout [UInt8]) {
    bytes.append(tag)
    bytes.append(littleEndian: UInt32(parts.count))
    for part in parts { part.append(to: &bytes) }
  }
}

extension FieldTest {
  fileprivate func append(to bytes: inout [UInt8]) {
    bytes += [UInt8(index + 1), kind.rawValue]
    append(question, to: &bytes)
    bytes.append(isWanted ? 1 : 0)
  }

  private func append(_ question: Question, to bytes: inout [UInt8]) {
    switch question {
    case .codes(let codes, let orNil):
      bytes += [1, orNil ? 1 : 0]
      bytes.append(littleEndian: UInt32(codes.intervals.count))
      for interval in codes.intervals {
        bytes.append(littleEndian: interval.lowerBound)
        bytes.append(littleEndian: interval.upperBound)
      }
    case .isPresent: bytes.append(2)
    case .isOneOf(let texts): append(texts, 3, to: &bytes)
    case .comparison(let comparison, let text):
      bytes += [4, comparison.rawValue]
      append(text, to: &bytes)
    case .hasPrefix(let text): append([text], 5, to: &bytes)
    case .intersects(let texts): append(texts, 6, to: &bytes)
    }
  }

  private func append(_ texts: [String], _ tag: UInt8, to bytes: inout [UInt8]) {
    bytes.append(tag)
    bytes.append(littleEndian: UInt32(texts.count))
    for text in texts { append(text, to: &bytes) }
  }

  private func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(littleEndian: UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }
}
