"""What the compiler refuses of a program that the parser accepts: `return` outside a function, a repeated parameter.

Nothing is executed. Before it compiles a tree, this changes two things in it that are harmless to its validity and
take unbounded memory of the compiler: bodies of `finally`, which it copies to each way out, doubling with each level,
and operations on constants, whose results it computes.
"""

from __future__ import annotations

import ast

from transforms.acceptance.code.syntax import SOURCE, TOO_DEEP, Unreadable, refused


def compile_fault(tree: ast.Module) -> Unreadable | None:
    """Why a tree from `syntax.parse` does not compile. The tree is left as it was."""
    changed = _relieve(tree)
    try:
        compile(tree, SOURCE, "exec", dont_inherit=True, optimize=0)
    except SyntaxError as error:
        return refused(error)
    except (RecursionError, MemoryError, SystemError):
        return TOO_DEEP
    finally:
        for node, members in changed:
            vars(node).update(members)
    return None


def _relieve(tree: ast.Module) -> list[tuple[ast.AST, dict[str, object]]]:
    """Relieve the tree in place; the nodes that were changed, each with the members that it had."""
    changed: list[tuple[ast.AST, dict[str, object]]] = []
    spared: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.pattern):
            spared.update(id(child) for child in ast.iter_child_nodes(node))  # `case 1 + 2j` takes no other form
        elif isinstance(node, ast.BinOp) and id(node) not in spared:
            changed.append((node, dict(vars(node))))
            # A list is no constant, so nothing is computed: [a] + b is valid exactly where a + b is.
            node.left = ast.copy_location(ast.List([node.left], ast.Load()), node.left)
        elif isinstance(node, ast.Try | ast.TryStar) and node.finalbody:
            changed.append((node, dict(vars(node))))
            if not node.handlers:
                nothing = ast.copy_location(ast.Pass(), node)
                node.handlers = [ast.copy_location(ast.ExceptHandler(body=[nothing]), node)]
            node.orelse = [*node.orelse, *node.finalbody]
            node.finalbody = []
    return changed
