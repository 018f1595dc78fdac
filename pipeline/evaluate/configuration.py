"""What the executor is: its version, its interpreter, and the digest of all that decides how it runs code.

A campaign pins these, so that a record by another sandbox, or by the same one loosened, is nobody's evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from pipeline.evaluate.sandbox import Sandbox
from pipeline.exits import Exit, RunError
from pipeline.versions import PRODUCT
from transforms.acceptance.values import EvidenceTerms
from transforms.acceptance.values import Executor as Pinned
from transforms.digests import canonical_json, sha256_hex
from transforms.records import Json

SUGGESTED_NAME = "assay-sandbox"

_FOR_ALL = 0o005
# The modules that decide what a room is and what is believed of it.
_DECIDING = ("bounds", "discovery", "execution", "interpreter", "pair", "program", "running", "sandbox", "seccomp")


@dataclass(frozen=True, slots=True)
class Identity:
    """What this executor is; `dependencies` maps the name of each package in the rooms to its version."""

    version: str
    configuration_sha256: str
    interpreter: str
    dependencies: Mapping[str, str]


def identity_of(sandbox: Sandbox) -> Identity:
    """The identity of the executor with this sandbox."""
    dependencies = installed(sandbox.packages) if sandbox.packages else {}
    configuration = {"bounds": asdict(sandbox.bounds), "dependencies": dependencies, "sources": sources()}
    return Identity(
        version=metadata.version(PRODUCT),
        configuration_sha256=sha256_hex(canonical_json(configuration)),
        interpreter=sandbox.interpreter.name,
        dependencies=dependencies,
    )


def sources() -> Json:
    """The SHA-256 of the source of each module that decides, and of those that run in the rooms."""
    folder = Path(__file__).parent
    modules = [folder / f"{name}.py" for name in _DECIDING]
    return {
        path.relative_to(folder).as_posix(): sha256_hex(path.read_bytes())
        for path in (*modules, *sorted((folder / "rooms").glob("*.py")))
    }


def installed(packages: Path) -> dict[str, str]:
    """The distributions in a folder, with their versions. Raises RunError where there is no such folder for all."""
    if not packages.is_dir():
        raise RunError(Exit.USAGE, f"{packages}: is no folder of packages")
    if packages.stat().st_mode & _FOR_ALL != _FOR_ALL:
        raise RunError(Exit.USAGE, f"{packages}: not everybody may read it, and in a room everybody is somebody else")
    found = {found.name: found.version for found in metadata.distributions(path=[str(packages)])}
    return dict(sorted(found.items()))


def pinned_executor(evidence: EvidenceTerms, name: str | None, identity: Identity) -> tuple[str, Pinned]:
    """The campaign's executor of that name, by default its only one, which must be this one.

    Raises RunError where there is none, or where it is pinned as another than this one is.
    """
    names = sorted(evidence.executors)
    if name is None and len(names) != 1:
        raise RunError(Exit.USAGE, f"the campaign names {len(names)} executors: say which one this is with --executor")
    chosen = name or names[0]
    if chosen not in evidence.executors:
        raise RunError(Exit.USAGE, f"{chosen!r} is none of the campaign's executors ({', '.join(names) or 'none'})")
    pinned = evidence.executors[chosen]
    for member in ("version", "configuration_sha256", "interpreter"):
        wanted, own = getattr(pinned, member), getattr(identity, member)
        if wanted != own:
            raise RunError(Exit.USAGE, f"the campaign pins {chosen!r} with {member} {wanted}; this one has {own}")
    return chosen, pinned
