"""A run's manifest, rendered for people. Renderers decide nothing."""
