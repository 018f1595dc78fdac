"""The difference between two committed runs: records matched by digest, content or identity, never by position."""
