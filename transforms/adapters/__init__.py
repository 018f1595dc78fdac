"""Adapters: records of another tool's schema, told again as records of a kind."""
