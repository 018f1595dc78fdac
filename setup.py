"""Packaging entry point, kept for runners that stage a package with --setup_file; all metadata is in pyproject.toml."""

from setuptools import setup

setup()
