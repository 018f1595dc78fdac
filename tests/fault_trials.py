"""One run after the other of a campaign, each over a file system that is disturbed, and what must hold of each."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from failing_files import Ended, FailingFiles, points
from processes import digests, the_complaint


@dataclass
class Trial:
    """Runs the campaign as `folder`; `plain` has the digests of an undisturbed run."""

    files: FailingFiles
    campaign: Path
    folder: Path
    plain: dict[str, str]

    def run(self, *flags: str, how: str = "count", at: int = 0, part: str = "") -> Ended:
        """One attempt."""
        where = ("--output", self.folder.parent, "--run-id", self.folder.name, "--quiet")
        return self.files.run("run", self.campaign, *where, *flags, folder=self.folder, how=how, at=at, part=part)

    def forget(self) -> None:
        """Take the run away."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def must_be_well(self, ended: Ended) -> None:
        """The run is committed, whole; or refused in one line without a manifest, and then the same command does it."""
        committed = (self.folder / "manifest.json").exists()
        # A kill may come when all is done.
        assert committed == (ended.code == 0) or (committed and ended.code < 0), ended
        if ended.code > 0:
            said = the_complaint(ended.said)
            assert ended.code == 3 or (ended.code, said[:30]) == (2, "cannot create the run's folder"), ended
        else:
            assert ended.said == ""
        if not committed:
            again = self.run()
            assert (again.code, again.said) == (0, ""), ended
        assert digests(self.folder) == self.plain, ended

    def disturb_in_turn(self, how: str, *flags: str, part: str = "") -> Counter[int]:
        """Disturb one operation of a run after the other; how often the attempts ended with which code."""
        self.forget()
        ends = Counter[int]()
        for at in points(self.run(*flags, part=part).operations):
            self.forget()
            ended = self.run(*flags, how=how, at=at, part=part)
            self.must_be_well(ended)
            ends[ended.code] += 1
        return ends
