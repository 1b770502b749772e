#!/usr/bin/env bash
# Builds the documentation site in target/site, which opens without a server (target/site/index.html).
set -euo pipefail
cd "$(dirname "$0")/.."
version=0.5.4
# mdBook makes the site, and scripts/notebook-pages.py the pages of notebooks. mdBook is installed beside the project's own builds if it is missing, without the
# server that it could bring.
mdbook=$(command -v mdbook || true)
if [ -z "$mdbook" ]; then
  mdbook=target/tools/bin/mdbook
  [ -x "$mdbook" ] || cargo install --locked --quiet --version "$version" --no-default-features --features search \
    --root target/tools mdbook
fi
"$mdbook" build
echo "target/site/index.html"
