extension PayloadFields {
  /// Returns the fields as JSON text, in ascending order of their numbers.
  ///
  /// Fields become an object whose names are the numbers, or what `naming` returns for the path of
  /// numbers to a field; a list's items share its path. `naming` must not give two fields of an
  /// object the same name. Bytes become an object with one member, `base64`; non-finite doubles
  /// become the strings `inf`, `-inf` and `nan`. Values nested deeper than 128 trap.
  public func json(naming: (_ path: [Int]) -> String? = { _ in nil }) -> String {
    JSONWriter.text { $0.fields(self, at: [], naming: naming) }
  }
}

extension JSONWriter {
  /// Writes fields as ``PayloadFields/json(naming:)`` does; `path` is their location.
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
