"""The counts of a stream's difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pipeline.diff.rows import ABSENT, OUTCOMES, CodeSets, Matched, Rows


@dataclass(slots=True)
class Tally:
    """Counts over the pairs of one stream.

    `outcomes` has a row for each outcome before and a column for each after, in the order of OUTCOMES; `code_sets`
    counts pairs by the numbers of their codes before and after; `matched` by what they were matched by. `recoded` pairs
    have the same outcome and other codes, `rewritten` the same outcome and another digest.
    """

    outcomes: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((len(OUTCOMES),) * 2, np.int64))
    code_sets: Counter[tuple[int, int]] = field(default_factory=Counter)
    matched: Counter[Matched] = field(default_factory=Counter)
    recoded: int = 0
    rewritten: int = 0

    def count(self, pairs: Rows) -> Rows:
        """Count PAIR rows, and give those whose outcome or codes changed."""
        if not len(pairs):
            return pairs
        before, after = pairs["before"], pairs["after"]
        np.add.at(self.outcomes, (before["outcome"], after["outcome"]), 1)
        numbers, counts = np.unique(np.stack((before["codes"], after["codes"])), axis=1, return_counts=True)
        for one, other, count in zip(*numbers.tolist(), counts.tolist(), strict=True):
            self.code_sets[one, other] += count
        self.matched[Matched(int(pairs["matched"][0]))] += len(pairs)
        flipped = before["outcome"] != after["outcome"]
        recoded = ~flipped & (before["codes"] != after["codes"])
        rewritten = ~flipped & (before["sha256"] != after["sha256"]).any(axis=1)
        self.recoded += int(recoded.sum())
        self.rewritten += int(rewritten.sum())
        changed: Rows = pairs[flipped | recoded]
        return changed

    @property
    def flipped(self) -> int:
        """Pairs with another outcome, those that only one run has among them."""
        return int(self.outcomes.sum() - self.outcomes.trace())

    def by_code(self, codes: CodeSets) -> Mapping[str, Mapping[str, int]]:
        """For each code: records that had it before, have it after, lost it, gained it."""
        found: dict[str, Counter[str]] = {}
        for (one, other), count in self.code_sets.items():
            before, after = set(codes.names(one)), set(codes.names(other))
            sets = {"before": before, "after": after, "lost": before - after, "gained": after - before}
            for name, chosen in sets.items():
                for code in chosen:
                    found.setdefault(code, Counter(dict.fromkeys(sets, 0)))[name] += count
        return {code: dict(found[code]) for code in sorted(found)}

    def matrix(self) -> dict[str, dict[str, int]]:
        """Records by outcome before and after; no record is absent from both."""
        counts = self.outcomes.tolist()
        rows = {name: dict(zip(OUTCOMES, row, strict=True)) for name, row in zip(OUTCOMES, counts, strict=True)}
        del rows[OUTCOMES[ABSENT]][OUTCOMES[ABSENT]]
        return rows
