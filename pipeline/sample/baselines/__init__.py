"""Synthetic baselines: honest ones, every fault of one, and several of one identity."""
