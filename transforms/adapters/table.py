"""The table of adapters: what a stream's `adapter` may name as its source."""

from __future__ import annotations

from transforms.adapters import workbench_ab
from transforms.adapters.adapter import Adapter

ADAPTERS = {
    adapter.source: adapter
    for adapter in (Adapter("workbench-ab-v1", "pairwise-v2", "1", workbench_ab.adapt, workbench_ab.origin),)
}
