import Testing

@testable import Runs

@Suite struct ThreadWaitsTests {
  // Two threads that wait for each other's lock, one that serves its run loop, one that waits for work.
  private static let stacks = """
    thread 1 "own" waits in futex_do_wait, system call 202 0x7f
    /b/own(put_stack+0x1b)[0x56]
    /b/own(on_dump_signal)[0x56]
    /lib/libc.so.6(+0x3c050)[0x7f]
    /lib/libc.so.6(pthread_mutex_lock+0x112)[0x7f]
    /lib/libFoundation.so(Foundation.NSLock.lock() -> ()+0x1d)[0x7f]
    /b/own(closure #1 @Sendable () -> () in Own.Reader.read(Swift.Int) -> ())[0x56]
    /b/own(Scheduling.MainLoop.run() -> Swift.Never)[0x56]

    thread 2 "worker" waits in futex_do_wait, system call 202 0x7f
    /b/own(put_stack+0x1b)[0x56]
    /b/own(on_thread_signal)[0x56]
    /lib/libc.so.6(+0x85f16)[0x7f]
    /b/own(Scheduling.SerialQueue.performAndWait<A>(() -> A) -> A)[0x56]
    /b/own(CoreData.NSManagedObjectContext.performAndWait<A>(() throws -> A) throws -> A)[0x56]
    /b/own(Own.Writer.write() -> ())[0x56]

    thread 3 "main" waits in do_epoll_wait, system call 232 0x11
    /b/own(on_thread_signal)[0x56]
    /lib/libFoundation.so(CFRunLoopRunSpecific+0x1f8)[0x7f]
    /b/own(static Scheduling.MainLoop.run() -> Swift.Never)[0x56]
    /b/own(Commands.Program.run() -> Swift.Never)[0x56]
    /b/own(+0xac604e)[0x56]
    /b/own(_start)[0x56]

    thread 4 "pool" waits in futex_do_wait, system call 202 0x7f
    /b/own(on_thread_signal)[0x56]
    /lib/libdispatch.so(+0x3cd81)[0x7f]

    """

  @Test func bothSidesOfAForeignLockAreNamed() {
    #expect(
      ThreadWaits.summary(of: Self.stacks, executable: "/a/own")
        == "thread 1 in closure #1 in Own.Reader.read, which waits in Foundation.NSLock.lock; "
        + "thread 2 in Own.Writer.write, which waits in CoreData.NSManagedObjectContext.performAndWait"
    )
  }

  @Test func threadsThatWaitForWorkAreNotNamed() {
    let idle = Self.stacks.split(separator: "\n\n").dropFirst(2).joined(separator: "\n\n")
    #expect(ThreadWaits.summary(of: idle, executable: "/a/own") == "")
    #expect(ThreadWaits.summary(of: "", executable: "/a/own") == "")
  }

  @Test func onlyTheFirstThreadsAreNamed() {
    let thread = "thread 7 \"x\" waits\n/b/own(Own.a() -> ())[0x5]\n\n"
    let text = String(repeating: thread, count: 6)
    #expect(
      ThreadWaits.summary(of: text, executable: "own")
        == "thread 7 in Own.a; thread 7 in Own.a; thread 7 in Own.a; thread 7 in Own.a; 2 more")
  }
}
