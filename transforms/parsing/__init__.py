"""Bytes to values, strictly."""
