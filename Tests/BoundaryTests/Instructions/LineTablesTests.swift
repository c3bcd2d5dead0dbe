import Foundation
import Testing

@testable import Boundary

struct LineTablesTests {
  @Test func theInnermostFunctionOfASourceHasTheAddress() {
    let text = """
      0x00000000000006e0
      $sSa6appendyyxnF
      //<compiler-generated>:?
      $s8CoreData6MemberV4noteyyF
      /a/Sources/CoreData/Member.swift:12
      $s8CoreData4SaveV3runyyF
      /a/Sources/CoreData/Save.swift:0 (discriminator 2)
      0x00000000000006e4
      $s8CoreData4SaveV3runyyF
      /a/Sources/CoreData/Save.swift:?
      0x00000000000006e8
      $sypSgWOhTm
      Save.swift.o:?
      0x00000000000006f0
      ??
      ??:0
      """
    #expect(
      LineTables.names(in: text) == [0x6E0: "$s8CoreData6MemberV4noteyyF", 0x6E4: "$s8CoreData4SaveV3runyyF"])
  }

  @Test func anExecutableWithoutLineTablesHasNoNames() {
    #expect(LineTables.names(of: "/usr/bin/env", at: [0x4000]).isEmpty)
    #expect(LineTables.names(of: "/etc/passwd", at: [0x4000]).isEmpty)
  }
}
