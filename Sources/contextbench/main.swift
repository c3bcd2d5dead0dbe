import Commands

JemallocCounter.install()
Program(name: "contextbench", allocator: JemallocCounter.allocatorName).run()
