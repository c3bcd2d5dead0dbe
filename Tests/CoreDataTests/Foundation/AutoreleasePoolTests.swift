import CoreData
import Testing

@Suite struct AutoreleasePoolTests {
  // S2.9: code for Apple's systems wraps each part of an import in it.
  @Test func theBodyRunsAndItsObjectsAreReleased() throws {
    weak var released: NSObject?
    let count = autoreleasepool { () -> Int in
      let object = NSObject()
      released = object
      return 3
    }
    #expect(count == 3 && released == nil)
    #expect(throws: CancellationError.self) { try autoreleasepool { throw CancellationError() } }
  }
}
