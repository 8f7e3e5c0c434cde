/// What is left of a row that went out of a list: enough to tell what changed, should it return.
package struct RowTrace: Sendable, Hashable {
  /// The row's id.
  package let id: String
  /// The digests of its visible fields, from that of the field numbered 1; 0 for an absent one.
  package let digests: [UInt64]

  /// The trace of a row that had these digests.
  package init(id: String, digests: [UInt64]) {
    self.id = id
    self.digests = digests
  }

  /// The trace of a row as it is.
  package init(_ row: Row) { self.init(id: row.id, digests: row.digests) }

  /// The digest of the field with that number; 0 where it is absent.
  func digest(of field: Int) -> UInt64 { field <= digests.count ? digests[field - 1] : 0 }

  /// The trace as it was before an update.
  func before(_ difference: RowDifference) -> RowTrace {
    guard !difference.isEmpty else { return self }
    var digests = digests
    difference.forEach { field, digest in
      if field <= digests.count { digests[field - 1] = digest }
    }
    return RowTrace(id: id, digests: digests)
  }
}

/// Which visible fields of a row changed, and the digests of what they held before.
package struct RowDifference: Sendable, Hashable {
  /// The fields.
  package private(set) var fields: FieldSet = []
  /// The old digest of each of them, in the order of their numbers.
  package private(set) var digests: [UInt64] = []

  /// A difference in fields, with the old digest of each in the order of their numbers.
  package init(fields: FieldSet = [], digests: [UInt64] = []) {
    precondition(fields.count == digests.count, "each changed field has an old digest")
    self.fields = fields
    self.digests = digests
  }

  /// What tells a row as it was from the same row as it is.
  package init(from old: RowTrace, to row: Row) {
    for (index, digest) in row.digests.enumerated() where old.digest(of: index + 1) != digest {
      add(index + 1, old.digest(of: index + 1))
    }
  }

  /// Whether nothing changed.
  package var isEmpty: Bool { fields.isEmpty }

  /// Calls with each field's number and old digest.
  @inline(__always)
  func forEach(_ body: (Int, UInt64) -> Void) {
    var index = 0
    fields.forEach { field in
      body(field, digests[index])
      index += 1
    }
  }

  /// This difference and then another, after which the row is as given: without the fields that
  /// hold again what they held before.
  func followed(by next: RowDifference, to row: Row) -> RowDifference {
    let old = RowTrace(row).before(next).before(self)
    var all = RowDifference()
    fields.union(next.fields).forEach { field in
      if old.digest(of: field) != row.digest(of: field) { all.add(field, old.digest(of: field)) }
    }
    return all
  }

  /// This difference without the fields that hold again what they held before.
  func left(in row: Row) -> RowDifference {
    var undone: FieldSet = []
    forEach { field, digest in
      if row.digest(of: field) == digest { undone.insert(FieldSet(field: field)) }
    }
    guard !undone.isEmpty else { return self }
    var left = RowDifference()
    forEach { field, digest in
      if !undone.contains(field: field) { left.add(field, digest) }
    }
    return left
  }

  private mutating func add(_ field: Int, _ digest: UInt64) {
    fields.insert(FieldSet(field: field))
    digests.append(digest)
  }
}

extension Row {
  /// The digests of its visible fields, from that of the field numbered 1; 0 for an absent one.
  package var digests: [UInt64] {
    let (view, shape) = (view, shape)
    return (0..<view.fieldCount).map { field in
      shape.kind(of: field).map { view.digest(of: field, $0) } ?? 0
    }
  }
}
