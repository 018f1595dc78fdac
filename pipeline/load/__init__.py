"""Accepted records for training jobs, each file only after its digest was checked. See docs/loading.md."""

from pipeline.load.loader import Loader, load
from pipeline.load.rows import Batch, Record

__all__ = ["Batch", "Loader", "Record", "load"]
