#!/usr/bin/env bash
# Checks the types of the page's JavaScript with a pinned TypeScript.
set -euo pipefail
cd "$(dirname "$0")/.."
tools="${CARGO_TARGET_DIR:-target}/typescript"
mkdir -p "$tools"
[ -x "$tools/node_modules/.bin/tsc" ] || npm install --silent --no-fund --no-audit --prefix "$tools" typescript@5.9.3
"$tools/node_modules/.bin/tsc" --noEmit --allowJs --checkJs --strict --noUncheckedIndexedAccess --target es2022 --module es2022 \
  --moduleResolution bundler --lib es2023,dom,dom.iterable crates/gb-web/assets/*.js crates/gb-wasm/site/*.js
