"""A committed run, read safely: readers go through `run`, which opens files through `folder`."""
