"""Rules across records."""
