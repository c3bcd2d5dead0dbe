"""Tests of what judges mutants: scripts/mutation-score --test."""
