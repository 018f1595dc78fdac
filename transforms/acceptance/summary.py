"""What a run says of its decisions as a whole: counts that add up over blocks, and the numbers published of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from transforms.acceptance.agreement import ScoreCounts, agreement
from transforms.acceptance.grounding import Grounding, grounding_summary
from transforms.acceptance.safety import SafetyCounts, safety_summary
from transforms.acceptance.values import EvidencePolicy
from transforms.records import Json


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over any number of records of a stream; those of disjoint sets of records add up.

    Of `decided` records, `contributor_unknown` have no assignment that names who handed them in.
    """

    decided: int = 0
    contributor_unknown: int = 0
    scores: ScoreCounts = field(default_factory=ScoreCounts)
    grounding: Grounding = field(default_factory=Grounding)
    safety: SafetyCounts = field(default_factory=SafetyCounts)

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            self.decided + other.decided,
            self.contributor_unknown + other.contributor_unknown,
            self.scores + other.scores,
            self.grounding + other.grounding,
            self.safety + other.safety,
        )


def published_summary(kind: str, counts: Summary, policy: EvidencePolicy) -> Json:
    """The published numbers of a stream of `kind`, none where nothing was counted.

    `policy` is the evidence policy by which unsupported claims are counted.
    """
    found: Json = {}
    if counts.decided:
        found |= {"decided": counts.decided, "contributor_unknown": counts.contributor_unknown}
        found["agreement"] = agreement(counts.scores)
        if kind == "grounded-qa-v1":
            found["grounding"] = grounding_summary(counts.grounding, policy)
    if counts.safety.annotations:
        found["safety"] = safety_summary(counts.safety)
    return found
