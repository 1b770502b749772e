#!/usr/bin/env bash
# Makes packages of the program, with completions, manual pages, the second checker and the gallery of games: an archive, and
# where dpkg is there a Debian package. Each is unpacked and used in an empty environment before it is called made.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
target=${CARGO_TARGET_DIR:-target}
cargo build --release --package gb-cli
system="$(uname -m)-$(uname -s | tr '[:upper:]' '[:lower:]')"
name="gamebench-$version-$system"
out="$target/package"
rm -rf "${out:?}/$name" "$out/debian"
mkdir -p "$out/$name"/{bin,share/bash-completion/completions,share/zsh/site-functions,share/fish/vendor_completions.d,share/man/man1}
mkdir -p "$out/$name/share/gamebench/games" "$out/$name/share/doc/gamebench"
binary="$out/$name/bin/gamebench"
cp "$target/release/gamebench" "$binary"
strip "$binary" 2>/dev/null || true
"$binary" completions bash > "$out/$name/share/bash-completion/completions/gamebench"
"$binary" completions zsh > "$out/$name/share/zsh/site-functions/_gamebench"
"$binary" completions fish > "$out/$name/share/fish/vendor_completions.d/gamebench.fish"
"$binary" man --dir "$out/$name/share/man/man1"
cp games/*.game "$out/$name/share/gamebench/games"
cp checker/check.py "$out/$name/share/gamebench"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE CITATION.cff "$out/$name/share/doc/gamebench"
tar -C "$out" -czf "$out/$name.tar.gz" "$name"

# The first ten minutes, with nothing of the project in sight.
try() {
  local root=$1 room
  room=$(mktemp -d)
  (
    cd "$room"
    run() { env -i PATH=/usr/bin:/bin HOME="$room" "$@"; }
    run "$root/bin/gamebench" analyze clobber 'xo..|.oxx|xo..' | grep -q 'Right wins, whoever begins.'
    run "$root/bin/gamebench" --games "$root/share/gamebench/games" value shove '.x.o' > /dev/null
    run "$root/bin/gamebench" prove cram 3x4 --nimber --out cram.proof > /dev/null
    run "$root/bin/gamebench" check cram.proof > /dev/null
    if command -v python3 > /dev/null; then run python3 "$root/share/gamebench/check.py" cram.proof > /dev/null; fi
    run "$root/bin/gamebench" doctor > /dev/null
  )
  rm -r "$room"
}
unpacked=$(mktemp -d)
tar -C "$unpacked" -xzf "$out/$name.tar.gz"
try "$unpacked/$name"
rm -r "$unpacked"
echo "$out/$name.tar.gz"

if command -v dpkg-deb > /dev/null; then
  mkdir -p "$out/debian/DEBIAN"
  cp -r "$out/$name" "$out/debian/usr"
  cat > "$out/debian/DEBIAN/control" <<END
Package: gamebench
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: The developers of the Game Bench <gamebench@localhost>
Section: games
Priority: optional
Depends: libc6
Description: positions of combinatorial games, valued exactly
 Takes positions of combinatorial games apart into independent parts, finds the exact value of each, and plays the
 sum perfectly, or as well as time allows.
END
  dpkg-deb --root-owner-group --build "$out/debian" "$out/gamebench_$version.deb" > /dev/null
  unpacked=$(mktemp -d)
  dpkg-deb -x "$out/gamebench_$version.deb" "$unpacked"
  try "$unpacked/usr"
  rm -r "$unpacked"
  echo "$out/gamebench_$version.deb"
fi
