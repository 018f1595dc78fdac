"""Shards: found, inspected, cut into blocks, and read line by line."""
