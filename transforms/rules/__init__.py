"""Rules within a record, a module for each kind and for what kinds share."""
