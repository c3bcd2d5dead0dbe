/// SHA-256 and SHA-512, which Foundation on Linux does not have.
///
/// Both count in words of 64 bits, of which SHA-256 uses half: code that is not generic is fast in a debug build too, and
/// each opening of a store hashes every property of its model.
/// - SeeAlso: NIST, FIPS 180-4. Both take their constants from the roots of the same primes, SHA-256 the upper halves.
package enum SHA2 {
  /// 32 bytes.
  package static func hash256(_ message: [UInt8]) -> [UInt8] { hash(message, sha256) }

  /// 64 bytes.
  static func hash512(_ message: [UInt8]) -> [UInt8] { hash(message, sha512) }

  /// How far words are turned: in a round, and (the last of three is a shift) in the schedule.
  private typealias Turns = (UInt64, UInt64, UInt64)

  private struct Variant {
    /// Bits of a word.
    let width: UInt64
    let initial: [UInt64]
    let constants: [UInt64]
    let a: Turns
    let e: Turns
    let early: Turns
    let late: Turns
    /// The bits of a word.
    let mask: UInt64

    init(width: UInt64, rounds: Int, a: Turns, e: Turns, early: Turns, late: Turns) {
      self.width = width
      initial = SHA2.initial.map { $0 >> (64 - width) }
      constants = SHA2.roundConstants.prefix(rounds).map { $0 >> (64 - width) }
      (self.a, self.e, self.early, self.late) = (a, e, early, late)
      mask = .max >> (64 - width)
      precondition(
        initial.count == 8 && constants.count > 16, "a hash has eight words, and more rounds than words of a block")
    }

    var wordSize: Int { Int(width) / 8 }

    func turned(_ word: UInt64, _ by: Turns) -> UInt64 {
      rotated(word, by.0) ^ rotated(word, by.1) ^ rotated(word, by.2)
    }

    func scheduled(_ word: UInt64, _ by: Turns) -> UInt64 { rotated(word, by.0) ^ rotated(word, by.1) ^ word &>> by.2 }

    private func rotated(_ word: UInt64, _ by: UInt64) -> UInt64 { (word &>> by | word &<< (width &- by)) & mask }
  }

  private static let sha256 = Variant(
    width: 32, rounds: 64, a: (2, 13, 22), e: (6, 11, 25), early: (7, 18, 3), late: (17, 19, 10))
  private static let sha512 = Variant(
    width: 64, rounds: 80, a: (28, 34, 39), e: (14, 18, 41), early: (1, 8, 7), late: (19, 61, 6))

  private static func hash(_ message: [UInt8], _ variant: Variant) -> [UInt8] {
    let blockSize = 16 * variant.wordSize
    let padded = padded(message, blockSize: blockSize)
    var state = variant.initial
    var words = [UInt64](repeating: 0, count: variant.constants.count)
    padded.withUnsafeBufferPointer { bytes in
      words.withUnsafeMutableBufferPointer { words in
        var start = 0
        while start < bytes.count {
          schedule(UnsafeBufferPointer(rebasing: bytes[start..<start + blockSize]), in: words, variant)
          compress(&state, UnsafeBufferPointer(words), variant)
          start += blockSize
        }
      }
    }
    return state.flatMap { word in
      withUnsafeBytes(of: (word << (64 - variant.width)).bigEndian) { Array($0.prefix(variant.wordSize)) }
    }
  }

  /// Makes the words of a block's rounds.
  private static func schedule(
    _ block: UnsafeBufferPointer<UInt8>, in words: UnsafeMutableBufferPointer<UInt64>, _ variant: Variant
  ) {
    let wordSize = variant.wordSize
    precondition(block.count == 16 * wordSize && words.count > 16, "a block is the first 16 words of its rounds")
    var index = 0
    while index < 16 {
      var word: UInt64 = 0
      var place = index * wordSize
      let end = place + wordSize
      while place < end {
        word = word &<< 8 | UInt64(block[place])
        place += 1
      }
      words[index] = word
      index += 1
    }
    while index < words.count {
      let early = variant.scheduled(words[index - 15], variant.early)
      let late = variant.scheduled(words[index - 2], variant.late)
      words[index] = (words[index - 16] &+ early &+ words[index - 7] &+ late) & variant.mask
      index += 1
    }
  }

  private static func compress(_ state: inout [UInt64], _ words: UnsafeBufferPointer<UInt64>, _ variant: Variant) {
    precondition(
      state.count == 8 && words.count >= variant.constants.count,
      "a block has a word for each round, and a digest eight")
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    let mask = variant.mask
    variant.constants.withUnsafeBufferPointer { constants in
      var index = 0
      while index < constants.count {
        let choice = (e & f) ^ (~e & g)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        let first = h &+ variant.turned(e, variant.e) &+ choice &+ constants[index] &+ words[index]
        let second = variant.turned(a, variant.a) &+ majority
        (h, g, f, e) = (g, f, e, (d &+ first) & mask)
        (d, c, b, a) = (c, b, a, (first &+ second) & mask)
        index += 1
      }
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = (state[index] &+ word) & mask }
  }

  /// The message, a one bit, zeros, and the message's length in bits, in whole blocks.
  private static func padded(_ message: [UInt8], blockSize: Int) -> [UInt8] {
    // The length takes an eighth of a block.
    let end = message.count + 1 + blockSize / 8
    let zeros = (blockSize - end % blockSize) % blockSize + blockSize / 8 - 8
    let length = withUnsafeBytes(of: (UInt64(message.count) * 8).bigEndian) { Array($0) }
    let padded = message + [0x80] + [UInt8](repeating: 0, count: zeros) + length
    precondition(padded.count % blockSize == 0, "a padded message is whole blocks")
    return padded
  }

  /// The first 64 bits of the fractional parts of the square roots of the first eight primes.
  private static let initial: [UInt64] = [
    0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
    0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
  ]

  /// The same of the cube roots of the first 80.
  private static let roundConstants: [UInt64] = [
    0x428A_2F98_D728_AE22, 0x7137_4491_23EF_65CD, 0xB5C0_FBCF_EC4D_3B2F, 0xE9B5_DBA5_8189_DBBC,
    0x3956_C25B_F348_B538, 0x59F1_11F1_B605_D019, 0x923F_82A4_AF19_4F9B, 0xAB1C_5ED5_DA6D_8118,
    0xD807_AA98_A303_0242, 0x1283_5B01_4570_6FBE, 0x2431_85BE_4EE4_B28C, 0x550C_7DC3_D5FF_B4E2,
    0x72BE_5D74_F27B_896F, 0x80DE_B1FE_3B16_96B1, 0x9BDC_06A7_25C7_1235, 0xC19B_F174_CF69_2694,
    0xE49B_69C1_9EF1_4AD2, 0xEFBE_4786_384F_25E3, 0x0FC1_9DC6_8B8C_D5B5, 0x240C_A1CC_77AC_9C65,
    0x2DE9_2C6F_592B_0275, 0x4A74_84AA_6EA6_E483, 0x5CB0_A9DC_BD41_FBD4, 0x76F9_88DA_8311_53B5,
    0x983E_5152_EE66_DFAB, 0xA831_C66D_2DB4_3210, 0xB003_27C8_98FB_213F, 0xBF59_7FC7_BEEF_0EE4,
    0xC6E0_0BF3_3DA8_8FC2, 0xD5A7_9147_930A_A725, 0x06CA_6351_E003_826F, 0x1429_2967_0A0E_6E70,
    0x27B7_0A85_46D2_2FFC, 0x2E1B_2138_5C26_C926, 0x4D2C_6DFC_5AC4_2AED, 0x5338_0D13_9D95_B3DF,
    0x650A_7354_8BAF_63DE, 0x766A_0ABB_3C77_B2A8, 0x81C2_C92E_47ED_AEE6, 0x9272_2C85_1482_353B,
    0xA2BF_E8A1_4CF1_0364, 0xA81A_664B_BC42_3001, 0xC24B_8B70_D0F8_9791, 0xC76C_51A3_0654_BE30,
    0xD192_E819_D6EF_5218, 0xD699_0624_5565_A910, 0xF40E_3585_5771_202A, 0x106A_A070_32BB_D1B8,
    0x19A4_C116_B8D2_D0C8, 0x1E37_6C08_5141_AB53, 0x2748_774C_DF8E_EB99, 0x34B0_BCB5_E19B_48A8,
    0x391C_0CB3_C5C9_5A63, 0x4ED8_AA4A_E341_8ACB, 0x5B9C_CA4F_7763_E373, 0x682E_6FF3_D6B2_B8A3,
    0x748F_82EE_5DEF_B2FC, 0x78A5_636F_4317_2F60, 0x84C8_7814_A1F0_AB72, 0x8CC7_0208_1A64_39EC,
    0x90BE_FFFA_2363_1E28, 0xA450_6CEB_DE82_BDE9, 0xBEF9_A3F7_B2C6_7915, 0xC671_78F2_E372_532B,
    0xCA27_3ECE_EA26_619C, 0xD186_B8C7_21C0_C207, 0xEADA_7DD6_CDE0_EB1E, 0xF57D_4F7F_EE6E_D178,
    0x06F0_67AA_7217_6FBA, 0x0A63_7DC5_A2C8_98A6, 0x113F_9804_BEF9_0DAE, 0x1B71_0B35_131C_471B,
    0x28DB_77F5_2304_7D84, 0x32CA_AB7B_40C7_2493, 0x3C9E_BE0A_15C9_BEBC, 0x431D_67C4_9C10_0D4C,
    0x4CC5_D4BE_CB3E_42B6, 0x597F_299C_FC65_7E2A, 0x5FCB_6FAB_3AD6_FAEC, 0x6C44_198C_4A47_5817,
  ]
}
