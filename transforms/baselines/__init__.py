"""What a baseline document states, recomputed: numbers, dates, text and fingerprint, identity."""
