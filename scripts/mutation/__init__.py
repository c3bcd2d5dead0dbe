"""What scripts/mutation-score, scripts/coverage and scripts/stack-mutants share: a changed copy of the project, and its runs."""
