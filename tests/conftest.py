"""Shared test set-up: Beam's chatter stays out of captured output."""

from __future__ import annotations

import logging

logging.getLogger().setLevel(logging.ERROR)
