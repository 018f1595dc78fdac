"""The only Beam code among the transforms: DoFns that call the plain functions."""
