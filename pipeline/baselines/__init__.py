"""Ask a committed run for the baseline of an identity, as a consumer of baselines would."""
