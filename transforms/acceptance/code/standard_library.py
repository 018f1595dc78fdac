"""The names of the standard library's modules, by version of Python, those that are documented.

Source: `sys.stdlib_module_names` of CPython 3.11, and the module index of each version for what came and went. Spelt
out, so that a verdict does not change with the interpreter. Modules of packages and modules with a leading underscore
are left out (but for `__future__` and `_thread`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

_SINCE: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("graphlib", "zoneinfo"), (3, 9)),
    "tomllib": (3, 11),
    **dict.fromkeys(("annotationlib", "compression"), (3, 14)),
}
_UNTIL: Mapping[str, tuple[int, int]] = {
    "dummy_threading": (3, 8),
    **dict.fromkeys(("formatter", "parser", "symbol"), (3, 9)),
    "binhex": (3, 10),
    **dict.fromkeys(("asynchat", "asyncore", "distutils", "imp", "smtpd"), (3, 11)),
    **dict.fromkeys(
        (
            *("aifc", "audioop", "cgi", "cgitb", "chunk", "crypt", "imghdr", "lib2to3", "mailcap", "msilib", "nis"),
            *("nntplib", "ossaudiodev", "pipes", "sndhdr", "spwd", "sunau", "telnetlib", "uu", "xdrlib"),
        ),
        (3, 12),
    ),
}
_EVERY = """
    __future__ _thread abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit
    audioop base64 bdb binascii binhex bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs
    codeop collections colorsys compileall compression concurrent configparser contextlib contextvars copy copyreg
    crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest dummy_threading email
    encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools
    gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr
    imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap
    marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path
    numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform
    plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue
    quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil
    signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat
    statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile
    telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback
    tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref
    webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
"""


@cache
def standard_library(version: tuple[int, int]) -> frozenset[str]:
    """The modules of the standard library of a version from 3.8 to 3.14, whatever the platform."""
    return frozenset(
        name for name in _EVERY.split() if _SINCE.get(name, version) <= version <= _UNTIL.get(name, version)
    )
