"""Migrations: records of one version of a kind's schema, told again as records of another by declared operations."""
