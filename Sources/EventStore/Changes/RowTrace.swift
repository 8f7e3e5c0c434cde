/// The remains of a row that left a list: enough to determine what changed if it returns.
package struct RowTrace: Sendable, Hashable {
  /// The row's id.
  package let id: String
  /// The digests of the visible fields, starting with field number 1; 0 for an absent field.
  package let digests: [UInt64]

  /// Creates the trace of a row that had these digests.
  package init(id: String, digests: [UInt64]) {
    self.id = id
    self.digests = digests
  }

  /// Creates the trace of a row in its current state.
  package init(_ row: Row) { self.init(id: row.id, digests: row.digests) }

  /// Returns the digest of the field with a number; 0 if it is absent.
  func digest(of field: Int) -> UInt64 { field <= digests.count ? digests[field - 1] : 0 }

  /// Returns the trace as it was before an update.
  func before(_ difference: RowDifference) -> RowTrace {
    guard !difference.isEmpty else { return self }
    var digests = digests
    difference.forEach { field, digest in
      if field <= digests.count { digests[field - 1] = digest }
    }
    return RowTrace(id: id, digests: digests)
  }
}

/// The visible fields of a row that changed, and the digests of their old values.
package struct RowDifference: Sendable, Hashable {
  /// The changed fields.
  package private(set) var fields: FieldSet = []
  /// The old digest of each changed field, in order of field number.
  package private(set) var digests: [UInt64] = []

  /// Creates a difference from fields and the old digest of each, in order of field number.
  package init(fields: FieldSet = [], digests: [UInt64] = []) {
    precondition(fields.count == digests.count, "each changed field has an old digest")
    self.fields = fields
    self.digests = digests
  }

  /// Creates the difference between an old row's trace and the current row.
  package init(from old: RowTrace, to row: Row) {
    for (index, digest) in row.digests.enumerated() where old.digest(of: index + 1) != digest {
      add(index + 1, old.digest(of: index + 1))
    }
  }

  /// Whether nothing changed.
  package var isEmpty: Bool { fields.isEmpty }

  /// Calls `body` with each field's number and old digest.
  @inline(__always)
  func forEach(_ body: (Int, UInt64) -> Void) {
    var index = 0
    fields.forEach { field in
      body(field, digests[index])
      index += 1
    }
  }

  /// Returns this difference followed by another that results in `row`, without the fields that
  /// have their original values again.
  func followed(by next: RowDifference, to row: Row) -> RowDifference {
    let old = RowTrace(row).before(next).before(self)
    var all = RowDifference()
    fields.union(next.fields).forEach { field in
      if old.digest(of: field) != row.digest(of: field) { all.add(field, old.digest(of: field)) }
    }
    return all
  }

  /// Returns this difference without the fields that have their old values again in `row`.
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
  /// The digests of the visible fields, starting with field number 1; 0 for an absent field.
  package var digests: [UInt64] {
    let (view, shape) = (view, shape)
    return (0..<view.fieldCount).map { field in
      shape.kind(of: field).map { view.digest(of: field, $0) } ?? 0
    }
  }
}
