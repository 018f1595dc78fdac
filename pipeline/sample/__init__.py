"""Synthetic campaigns: realistic records, and a stated share of every fault."""
