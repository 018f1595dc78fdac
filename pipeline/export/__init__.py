"""Training exports: the accepted records of a run as rows of a training format, with their lineage."""
