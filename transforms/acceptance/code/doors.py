"""What of Python can import a module that no import statement names, or run text as code: known doors, by dotted name.

Source: the library reference of CPython 3.8 to 3.14, read for what takes a module's name, a text of code or a pickle.
What only starts another process, and native code other than by `ctypes`, is not here: that is the sandbox's.
"""

from __future__ import annotations

from collections.abc import Mapping

MODULES = frozenset(
    {
        *("bdb", "code", "codeop", "ctypes", "idlelib", "imp", "importlib._bootstrap", "importlib._bootstrap_external"),
        *("importlib.machinery", "importlib.util", "lib2to3", "logging.config", "pdb", "pkgutil", "pydoc"),
        *("rlcompleter", "runpy", "shelve", "site", "trace", "zipimport"),
    }
)
"""Modules that are there to load or run code by name, from text or natively. All of them is a door."""

OPAQUE = frozenset(
    {
        *("__loader__", "builtins.__loader__", "builtins.breakpoint", "distutils.core.run_setup"),
        *("doctest.DocFileSuite", "doctest.DocFileTest", "doctest.DocTestSuite", "doctest.testfile"),
        *("importlib.find_loader", "importlib.metadata.EntryPoint", "importlib.metadata.EntryPoints"),
        *("importlib.metadata.entry_points", "marshal.load", "marshal.loads"),
        *("pickle.Unpickler", "pickle.load", "pickle.loads", "profile.main", "cProfile.main"),
        *("sys.breakpointhook", "sys.meta_path", "sys.modules", "sys.path_hooks", "sys.path_importer_cache"),
        *("timeit.main", "typing.ForwardRef", "unittest.TestLoader.discover", "unittest.TestLoader().discover"),
        *("unittest.defaultTestLoader.discover", "unittest.mock._importer"),
    }
)
"""What imports or runs something that is not among its arguments in a form that can be read."""

OPAQUE_CALLS = frozenset({"types.CodeType", "types.FunctionType", "types.LambdaType"})
"""The same, but only when called: these are types, and code may ask whether something is of them."""

IMPORTERS = ("builtins.__import__", "importlib.__import__", "importlib.import_module")
"""What gives the module that it imports by name."""

BY_NAME: Mapping[str, str] = {
    **dict.fromkeys(IMPORTERS, "name"),
    **dict.fromkeys(
        (
            *(f"importlib.resources.{name}" for name in ("contents", "files", "is_resource", "open_binary")),
            *(f"importlib.resources.{name}" for name in ("open_text", "path", "read_binary", "read_text")),
        ),
        "package",
    ),
    "builtins.help": "request",
    "unittest.mock.patch": "target",
    "unittest.mock.patch.dict": "in_dict",
    "unittest.mock.patch.multiple": "target",
}
"""What imports the module that its first argument names, and what that parameter is called."""

TAKES_OBJECTS = frozenset(name for name in BY_NAME if not name.endswith(("__import__", "import_module", "mock.patch")))
"""Those of them that take the object itself as well."""

RUNNERS: Mapping[str, tuple[str, ...]] = {
    "builtins.eval": ("source",),
    "builtins.exec": ("source",),
    "builtins.compile": ("source",),
    **dict.fromkeys(("timeit.timeit", "timeit.repeat", "timeit.Timer"), ("stmt", "setup")),
    **dict.fromkeys((f"{name}.{run}" for name in ("cProfile", "profile") for run in ("run", "runctx")), ("statement",)),
    **dict.fromkeys(
        (f"{name}.Profile().{run}" for name in ("cProfile", "profile") for run in ("run", "runctx")), ("cmd",)
    ),
}
"""What runs texts as code, or makes code of them, and the parameters that take these, from the first on."""

NAMESPACES = frozenset(
    {
        *("builtins", "cProfile", "importlib", "importlib.metadata", "importlib.resources", "marshal", "pickle"),
        *("profile", "sys", "timeit", "unittest.mock"),
    }
)
"""Modules that hold doors and much else. Handed on as a whole, what is taken from them cannot be read."""

REEXPORTED = frozenset({"builtins", "ctypes", "imp", "importlib", "marshal", "pickle", "pkgutil", "runpy", "sys"})
"""Modules that are these wherever they are taken from: `os.sys` is `sys`."""

ATTRIBUTES = frozenset(
    {
        *("__builtins__", "__globals__", "__import__", "__loader__", "_gcd_import", "create_module", "entry_points"),
        *("exec_module", "f_builtins", "f_globals", "import_module", "load_module", "loadTestsFromName"),
        *("loadTestsFromNames", "module_from_spec", "source_to_code", "spec_from_file_location"),
    }
)
"""Attributes that are a door, or lead to one, whatever they are read from."""

NAMED = ATTRIBUTES - {"entry_points"}
"""Names that, as a text by itself, can only serve to reach a door: `attrgetter("__import__")`."""

BUILTINS = frozenset({"__import__", "breakpoint", "compile", "eval", "exec", "help"})
"""Doors that are there without an import."""


def approved_door(door: str, approved: frozenset[str]) -> bool:
    """Whether a door, or a module or package that it is in, is approved by name."""
    parts = door.replace("()", "").split(".")
    return not approved.isdisjoint(".".join(parts[: end + 1]) for end in range(len(parts)))


def opaque_door(name: str) -> str | None:
    """The door that cannot be read which a dotted name is, or lies within."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        if (within := ".".join(parts[:end])) in MODULES or within in OPAQUE:
            return within
    return None
