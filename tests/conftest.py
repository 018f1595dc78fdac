"""Shared test set-up: Beam's chatter stays out of captured output, and no property is timed."""

from __future__ import annotations

import logging

from hypothesis import settings

logging.getLogger().setLevel(logging.ERROR)
# How long an example takes depends on what else the machine does.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
