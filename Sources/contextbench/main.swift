print("contextbench")
