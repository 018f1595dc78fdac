"""Gates for code in pairwise records: which code is judged, and what can be said of it without running it.

`extract` finds the code, `syntax`, `complexity`, `dependencies` and `linter` look at it, `gates` answers. Nothing of a
record is ever executed; docs/code-gates.md has the rules.
"""
