"""Made-up services that baselines are measured of: what they are asked, and what is checked of their answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Service:
    """A service under a contract: `checks` are (criterion, condition), `inputs` what it is asked, `answer` a reply."""

    name: str
    contract: str
    checks: tuple[tuple[str, str], ...]
    inputs: tuple[str, ...]
    answer: str


SERVICES: tuple[Service, ...] = (
    Service(
        "luggage-desk",
        "luggage-desk-finds-the-counter",
        (
            ("names-a-counter", 'contains "counter"'),
            ("asks-for-the-tag", "matches /tag [0-9]+/"),
            ("one-line", "is short"),
        ),
        ("Where is my suitcase? 🧳", "The blue one with a dented corner"),
        "Tag 4471 is at counter 7 — tag 12 too",
    ),
    Service(
        "recipe-scaler",
        "recipe-scaler-keeps-proportions",
        (("größe-stimmt", "scales every amount"), ("keeps-units", 'contains " g"'), ("no-chatter", "is a list")),
        ("Crêpes for seven", 'Soup, "a little" salt'),
        "700 g flour, 9 eggs 🥞",
    ),
    Service(
        "tide-reader",
        "tide-reader-cites-the-port",
        (
            ("cites-a-port", "matches /port of \\w+/"),
            ("gives-a-time", "matches /[0-2][0-9]:[0-5][0-9]/"),
            ("polite", "is polite"),
        ),
        ("High water tomorrow?", "Low water — next three days"),
        "Port of Wend, 04:51",
    ),
)
