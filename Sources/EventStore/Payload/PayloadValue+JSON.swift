extension PayloadFields {
  /// The fields as JSON text, in ascending order of their numbers.
  ///
  /// Fields are an object whose names are the numbers, or what `naming` gives for the numbers on
  /// the way to a field; the items of a list share the list's own way. It must not name two
  /// fields of an object alike. Bytes are an object of one member, `base64`; doubles that are
  /// not finite are the strings `inf`, `-inf` and `nan`. Values nested deeper than 128 trap.
  public func json(naming: (_ path: [Int]) -> String? = { _ in nil }) -> String {
    JSONWriter.text { $0.fields(self, at: [], naming: naming) }
  }
}

extension JSONWriter {
  /// Writes fields as ``PayloadFields/json(naming:)`` does, `path` being where they are.
  package mutating func fields(
    _ fields: PayloadFields, at path: [Int] = [], naming: (_ path: [Int]) -> String?
  ) {
    object { json in
      for field in fields {
        let path = path + [field.number]
        json.member(naming(path) ?? field.number.description) {
          $0.value(field.value, at: path, naming: naming)
        }
      }
    }
  }

  private mutating func value(
    _ value: PayloadValue, at path: [Int], naming: (_ path: [Int]) -> String?
  ) {
    switch value {
    case .null: null()
    case .boolean(let value): boolean(value)
    case .integer(let value): number(value)
    case .double(let value): number(value)
    case .text(let value): string(value)
    case .bytes(let value): bytes(value)
    case .fields(let value): fields(value, at: path, naming: naming)
    case .list(let values):
      array { json in
        for value in values { json.value(value, at: path, naming: naming) }
      }
    }
  }

  private mutating func bytes(_ value: [UInt8]) {
    object { $0.member("base64", Base64.text(of: value)) }
  }
}
