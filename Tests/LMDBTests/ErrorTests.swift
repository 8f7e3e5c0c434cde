import Foundation
import LMDB
import Testing

@Suite struct ErrorTests {
  private static let returned: [Int32: LMDBError.Code] = [
    -30799: .keyExists, -30798: .notFound, -30797: .pageNotFound, -30796: .corrupted,
    -30795: .panic, -30794: .versionMismatch, -30793: .invalid, -30792: .mapFull,
    -30791: .tablesFull, -30790: .readersFull, -30789: .threadKeysFull, -30788: .transactionFull,
    -30787: .cursorFull, -30786: .pageFull, -30785: .mapResized, -30784: .incompatible,
    -30783: .badReaderSlot, -30782: .badTransaction, -30781: .badValueSize, -30780: .badTable,
    ENOENT: .missing, ENOTDIR: .notAFolder, EACCES: .notPermitted, EPERM: .notPermitted,
    EROFS: .readOnly, ENOSPC: .diskFull, EDQUOT: .diskFull, EIO: .system(EIO),
    EMFILE: .system(EMFILE), ENFILE: .system(ENFILE), ENOMEM: .system(ENOMEM),
    EPIPE: .system(EPIPE), EISDIR: .system(EISDIR), EEXIST: .system(EEXIST),
    ESPIPE: .system(ESPIPE), EFBIG: .system(EFBIG),
  ]

  private static let own: [LMDBError.Code] = [.alreadyOpen, .truncated, .undecodable, .unsupported]

  @Test func everyReturnCode_isACaseWithItsOwnMeaningAndRemedy() {
    for (value, code) in Self.returned { #expect(LMDBError(returned: value, "").code == code) }
    let codes = Set(Self.returned.values).union(Self.own)
    #expect(Set(codes.map(\.meaning)).count == codes.count)
    for code in codes {
      #expect(!code.meaning.isEmpty && !code.meaning.hasSuffix("."))
      #expect(code.remedy.first?.isUppercase == true && !code.remedy.hasSuffix("."))
      #expect(!code.remedy.contains("errno") || code == .system(EPIPE))
    }
  }

  @Test func description_saysWhatHappenedToWhatAndWhatToDo() {
    let error = LMDBError(.diskFull, "commit")
    #expect("\(error)" == "commit: the disk is full. Free some space and try again.")
  }

  /// LMDB reports a short write as a failure of the disk, whether or not the disk is full.
  @Test func failedDisk_mayBeFull() {
    let error = LMDBError(returned: EIO, "commit")
    #expect("\(error)".hasPrefix("commit: the disk failed, or was full within a page. Free some"))
  }

  /// Every code between the library's first and last is known here.
  @Test func noReturnCode_isForgotten() {
    let unknown = (-30799 ... -30780).filter { LMDBError(returned: $0, "").code == .system($0) }
    #expect(unknown.isEmpty)
  }
}
