"""Bytes in, verdict out: plain functions over frozen data, and the Beam code that wires them."""
