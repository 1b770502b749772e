#!/usr/bin/env bash
# Builds a wheel of the Python package: scripts/build-wheel.sh [FOLDER], else into wheels/ of the target folder. It serves every Python from 3.10 on; on
# Linux also every distribution since 2014 (glibc 2.17), because zig links against that one and not against the one that is here.
# maturin and zig come from the package index, into an environment of their own under target/.
set -euo pipefail
cd "$(dirname "$0")/.."
target="$(realpath -m "${CARGO_TARGET_DIR:-target}")"
folder="$(realpath -m "${1:-$target/wheels}")"

tools="$target/wheel-tools"
[ -x "$tools/bin/python" ] || python3 -m venv "$tools"
"$tools/bin/python" -m pip install --quiet --disable-pip-version-check maturin==1.16.0 ziglang==0.17.0

options=(--release --out "$folder" --manifest-path crates/gb-py/Cargo.toml)
[ "$(uname)" != Linux ] || options+=(--zig --compatibility manylinux2014)
rm -f "$folder"/gamebench-*.whl
# maturin looks for zig in the environment whose programs come first.
PATH="$tools/bin:$PATH" CARGO_TARGET_DIR="$target" "$tools/bin/maturin" build --quiet "${options[@]}" >&2
ls "$folder"/gamebench-*.whl
