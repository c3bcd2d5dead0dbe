"""Draws the pictures of contextbench's results folders; scripts/plot starts it."""
