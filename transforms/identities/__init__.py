"""The identity index of a run: what its accepted records claim, sorted, for later runs to be judged against."""
