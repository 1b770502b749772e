#!/usr/bin/env bash
# Checks the types of the page's JavaScript with the TypeScript that scripts/typescript/package-lock.json pins.
set -euo pipefail
cd "$(dirname "$0")/.."
tools="${CARGO_TARGET_DIR:-target}/typescript"
mkdir -p "$tools"
if ! cmp --silent scripts/typescript/package-lock.json "$tools/package-lock.json" || [ ! -x "$tools/node_modules/.bin/tsc" ]; then
  cp scripts/typescript/package.json scripts/typescript/package-lock.json "$tools"
  npm ci --silent --no-fund --no-audit --prefix "$tools"
fi
"$tools/node_modules/.bin/tsc" --noEmit --allowJs --checkJs --strict --noUncheckedIndexedAccess --target es2022 --module es2022 \
  --moduleResolution bundler --lib es2023,dom,dom.iterable crates/gb-web/assets/*.js crates/gb-wasm/site/*.js
