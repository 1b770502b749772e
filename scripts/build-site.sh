#!/usr/bin/env bash
# Makes the page without a server: a folder of static files with the engine as WebAssembly (docs/static-page.md).
# Usage: scripts/build-site.sh [FOLDER]       (default: target/bench-site)
# Leaves with 3 where there is no compiler for WebAssembly.
set -euo pipefail
cd "$(dirname "$0")/.."
target="${CARGO_TARGET_DIR:-target}"
site="${1:-$target/bench-site}"
triple=wasm32-unknown-unknown
export CARGO_TARGET_DIR="$target/wasm"
flags=(--profile site --package gb-wasm --target "$triple" --quiet)

has_std() { [ -d "$(rustc --print target-libdir --target "$triple" 2>/dev/null)" ]; }

# Debian's compiler builds the standard library from its sources, for those who cannot get it from rustup.
install_debian() {
  local packages=(rustc-web cargo-web rust-web-src lld-19)
  dpkg -s "${packages[@]}" >/dev/null 2>&1 && return
  command -v apt-get >/dev/null || return 1
  local as_root=()
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || return 1
    as_root=(sudo -n)
  fi
  { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >/dev/null 2>&1
}

if has_std || { command -v rustup >/dev/null && timeout 60 rustup target add "$triple" >/dev/null 2>&1 && has_std; }; then
  cargo build "${flags[@]}"
elif install_debian; then
  library=$(dpkg -L rust-web-src | grep -E '/library$' | head -1)
  RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 __CARGO_TESTS_ONLY_SRC_ROOT="$library" \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=-Clinker-flavor=wasm-ld \
    /usr/bin/cargo build "${flags[@]}" -Zbuild-std=std,panic_abort
else
  echo "There is no compiler for $triple: rustup target add $triple, or apt-get install rustc-web cargo-web rust-web-src lld-19." >&2
  exit 3
fi

rm -rf "$site"
mkdir -p "$site"
cp crates/gb-web/assets/* "$site"
cp crates/gb-wasm/site/* "$site"
rm "$site/types.js"
# Packed here and unpacked by the page, because not every host packs what it sends.
gzip -9 -n <"$CARGO_TARGET_DIR/$triple/site/gb_wasm.wasm" >"$site/engine.pack"
# The same rules as the server gives its page, and the engine is started before anything else.
policy="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' blob:; base-uri 'none'; form-action 'none'"
sed -i.before "s|<meta charset=\"utf-8\">|&\n<meta http-equiv=\"Content-Security-Policy\" content=\"$policy\">\n<script type=\"module\" src=\"carrier.js\" async></script>\n<script src=\"unserved.js\"></script>|" "$site/index.html"
rm "$site/index.html.before"
grep -q unserved.js "$site/index.html"
echo "$site: $(($(cat "$site"/* | wc -c) / 1024)) KB, of which the engine $(($(wc -c <"$site/engine.pack") / 1024)) KB"
