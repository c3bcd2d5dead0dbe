"""Tests of what draws; scripts/plot --test runs them."""
