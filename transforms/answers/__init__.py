"""Is a final answer the one that its task expects? Numbers with units, expressions, choices; docs/rules-math.md.

`expected` has the forms of an expected answer, `checker.check_answer` compares one with the text of a final answer.
Nothing of the text is ever evaluated as code: `quantity`, `units` and `grammar` read it.
"""
