"""Build and try what would be released: python tests/release.py build/release (`make release-check`).

Builds both archives from what is committed, checks their metadata, lists what is large, installs the wheel in
an empty environment of every Python that is here, and asks pyright how much of the public interface is typed.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
WHEEL_MB = 45
"""Most that a wheel may weigh; registries usually accept 100 MB."""
LEAST_TYPED = 99.5
"""Least share of public symbols outside kernels with a known type, in percent."""
LARGEST = 12


def call(*words: str | Path, cwd: Path | None = None, **more: str) -> str:
    """Run a command and return what it printed; leave with its message if it fails."""
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**os.environ, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        sys.exit(f"failed: {' '.join(map(str, words))}\n{done.stdout}")
    return done.stdout


def main(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    wheel = built(folder)
    weighed(wheel)
    tried = [version for version in PYTHONS if installed(wheel, version, folder)]
    missing = [version for version in PYTHONS if version not in tried]
    print(f"used on Python {', '.join(tried)}; not found here: {', '.join(missing) or 'none'}")
    run = call("pipx", "run", "--spec", wheel, "holdmem", "--version", cwd=folder)
    print(f"pipx run: {run.splitlines()[-1]}")
    typed(wheel, folder)


def built(folder: Path) -> Path:
    """Build from the committed files in an empty folder, and check the metadata of both archives."""
    archive = folder / "source.tar"
    call("git", "archive", "HEAD", "-o", archive, cwd=ROOT)
    shutil.unpack_archive(archive, folder / "source")
    dist = folder / "dist"
    call(sys.executable, "-m", "build", "--outdir", dist, folder / "source")
    print(call(sys.executable, "-m", "twine", "check", "--strict", *sorted(dist.iterdir())).strip())
    return next(dist.glob("*.whl")).resolve()


def weighed(wheel: Path) -> None:
    """Print the size of the wheel and of its largest parts."""
    size = wheel.stat().st_size / 1e6
    with zipfile.ZipFile(wheel) as file:
        parts = sorted(file.infolist(), key=lambda part: -part.compress_size)
    print(f"{wheel.name}: {size:.1f} MB, {len(parts)} files; the largest, as compressed:")
    for part in parts[:LARGEST]:
        print(f"  {part.compress_size / 1e6:6.2f} MB  {part.filename}")
    if size > WHEEL_MB:
        sys.exit(f"expected a wheel of at most {WHEEL_MB} MB, got {size:.1f}")


def installed(wheel: Path, version: str, folder: Path) -> bool:
    """Install the wheel in an empty environment and use it from elsewhere; False without that Python."""
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode:
        return False
    place = folder / f"python{version}"
    call(python, "-m", "venv", place)
    call(place / "bin" / "pip", "install", "-q", "--disable-pip-version-check", f"{wheel}[web]")
    said = call(place / "bin" / "holdmem", "--version", cwd=folder)
    cache = {"HOLDMEM_CACHE": str(folder / f"cache{version}")}
    match = ("match", "random", "always-call", "--hands", "50", "--no-ledger")
    call(place / "bin" / "holdmem", *match, cwd=folder, **cache)
    print(f"Python {version}: {said.strip()}, a match played")
    return True


def typed(wheel: Path, folder: Path) -> None:
    """Ask pyright how complete the types of the public interface are."""
    place = folder / "typed"
    call(sys.executable, "-m", "venv", place)
    call(place / "bin" / "pip", "install", "-q", "--disable-pip-version-check", f"{wheel}[all]")
    paths = f"{(place / 'bin').resolve()}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(  # it exits with 1 unless everything is typed
        [
            shutil.which("pyright") or "pyright",
            "--verifytypes",
            "holdmem",
            "--ignoreexternal",
            "--outputjson",
        ],
        cwd=folder,
        env={**os.environ, "PATH": paths},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    try:
        found = json.loads(done.stdout)["typeCompleteness"]
    except (ValueError, KeyError):
        sys.exit(f"expected a report of pyright, got\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    exported = [one for one in found["symbols"] if one["isExported"]]
    ours = [one for one in exported if ".kernels." not in one["name"]]
    share = 100 * sum(one["isTypeKnown"] for one in ours) / len(ours)
    print(f"pyright: {100 * found['completenessScore']:.1f}% of {len(exported):,} public symbols are typed,")
    print(f"  {share:.1f}% of {len(ours):,} without kernels, which are compiled from untyped Python")
    (folder / "pyright.json").write_text(done.stdout, encoding="utf-8")
    if share < LEAST_TYPED:
        sys.exit(f"expected at least {LEAST_TYPED}% without kernels; pyright.json in {folder} has the rest")


if __name__ == "__main__":
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    main(Path(sys.argv[1]).resolve())
