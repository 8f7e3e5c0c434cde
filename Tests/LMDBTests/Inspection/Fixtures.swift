import CLMDB

/// Data files of every shape, made by liblmdb from a seed.
enum Fixture: String, CaseIterable {
  case empty, log, logWithHoles, named, duplicates, fixedDuplicates, churned

  /// Makes the file and leaves it open.
  func make(seed: UInt64, scale: Int = 1, pageSize: Int? = nil) throws -> DataFolder {
    let folder = try DataFolder(pageSize: pageSize)
    var random = SeededNumbers(seed: seed)
    switch self {
    case .empty: try folder.transaction { _ = try $0.table("later") }
    case .log: try fillLog(folder, &random, scale)
    case .logWithHoles:
      try fillLog(folder, &random, scale)
      try punchHoles(folder, &random, scale)
    case .named: try fillNamed(folder, &random, scale)
    case .duplicates: try fillDuplicates(folder, &random, scale)
    case .fixedDuplicates: try fillFixed(folder, &random, scale)
    case .churned: try churn(folder, &random, scale)
    }
    return folder
  }

  /// The tables by name, with the flags they were made with; `nil` names the unnamed table.
  var tables: [(name: String?, flags: Int32)] {
    switch self {
    case .empty: [("later", 0)]
    case .log, .logWithHoles: [(nil, MDB_INTEGERKEY)]
    case .named: [("a", 0), ("backwards", MDB_REVERSEKEY), ("numbers", MDB_INTEGERKEY), ("z", 0)]
    case .duplicates: [("many", MDB_DUPSORT), ("reverse", MDB_DUPSORT | MDB_REVERSEDUP)]
    case .fixedDuplicates:
      [
        ("fixed", MDB_DUPSORT | MDB_DUPFIXED),
        ("integers", MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP),
      ]
    case .churned: [("churn", 0)]
    }
  }
}

extension Fixture {
  private func fillLog(
    _ folder: DataFolder, _ random: inout SeededNumbers, _ scale: Int
  ) throws {
    var number: UInt64 = 0
    for _ in 0..<20 * scale {
      try folder.transaction { transaction in
        let table = try transaction.table(nil, MDB_INTEGERKEY)
        for _ in 0..<20 {
          number += 1
          let size = number % 37 == 0 ? 5000 : Int.random(in: 0..<300, using: &random)
          try transaction.put(native(number), random.bytes(size), in: table, MDB_APPEND)
        }
      }
    }
  }

  private func punchHoles(
    _ folder: DataFolder, _ random: inout SeededNumbers, _ scale: Int
  ) throws {
    for _ in 0..<10 {
      try folder.transaction { transaction in
        let table = try transaction.table(nil, MDB_INTEGERKEY)
        for _ in 0..<10 * scale {
          let key = UInt64.random(in: 1...UInt64(400 * scale), using: &random)
          try transaction.remove(native(key), in: table)
        }
      }
    }
  }

  private func fillNamed(
    _ folder: DataFolder, _ random: inout SeededNumbers, _ scale: Int
  ) throws {
    for _ in 0..<5 * scale {
      try folder.transaction { transaction in
        for (name, flags) in tables where name != "z" {
          let table = try transaction.table(name, flags)
          for _ in 0..<40 {
            let isInteger = flags & MDB_INTEGERKEY != 0
            let size = Int.random(in: 1...60, using: &random)
            let key = isInteger ? native(random.next() % 1000) : random.bytes(size)
            let value = random.bytes(Int.random(in: 0...120, using: &random))
            try transaction.put(key, value, in: table)
          }
        }
        _ = try transaction.table("z")
      }
    }
  }

  private func fillDuplicates(
    _ folder: DataFolder, _ random: inout SeededNumbers, _ scale: Int
  ) throws {
    for _ in 0..<6 * scale {
      try folder.transaction { transaction in
        for (name, flags) in tables {
          let table = try transaction.table(name, flags)
          for _ in 0..<80 {
            // The lower keys get so many values that these move to a tree of their own.
            let key = UInt8(random.next() % 8) * UInt8(random.next() % 6)
            let value = random.bytes(Int.random(in: 1...70, using: &random))
            try transaction.put([65, key], value, in: table)
          }
        }
      }
    }
  }

  private func fillFixed(
    _ folder: DataFolder, _ random: inout SeededNumbers, _ scale: Int
  ) throws {
    for _ in 0..<6 * scale {
      try folder.transaction { transaction in
        for (name, flags) in tables {
          let table = try transaction.table(name, flags)
          for _ in 0..<300 {
            let key = UInt8(random.next() % 5) * UInt8(random.next() % 5)
            try transaction.put([key], native(random.next() % 5000), in: table)
          }
        }
      }
    }
  }

  /// Overwrites and removes at random; values grow, shrink and move between pages.
  private func churn(_ folder: DataFolder, _ random: inout SeededNumbers, _ scale: Int) throws {
    for _ in 0..<30 {
      try folder.transaction { transaction in
        let table = try transaction.table("churn")
        for _ in 0..<40 * scale {
          let number = random.next() % UInt64(200 * scale)
          let key = Array("key \(number)".utf8)
          let sizes = [0...20, 100...400, 2000...2100, 4000...20000]
          let size = Int.random(in: sizes[Int(random.next() % 4)], using: &random)
          if random.next() % 3 == 0 {
            try transaction.remove(key, in: table)
          } else {
            try transaction.put(key, random.bytes(size), in: table)
          }
        }
      }
    }
  }
}
