#!/usr/bin/env bash
# Makes the pictures of the page that README.md and docs/ show. The browser tests take them (chromium and chromium-driver).
set -euo pipefail
cd "$(dirname "$0")/.."
shots="${CARGO_TARGET_DIR:-target}/tmp/screenshots"
rm -rf "$shots"
GAMEBENCH_BROWSER=1 cargo test --quiet --package gb-web --test it browser::
for name in analysis explorer sum chess-dark phone; do
  cp "$shots/$name.png" "docs/images/${name#chess-}.png"
done
echo "docs/images: analysis, explorer, sum, dark, phone"
