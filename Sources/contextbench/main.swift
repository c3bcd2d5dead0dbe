JemallocCounter.install()
ContextBench.main()
