#!/bin/sh
# Run by the Dev Container tools as root while they build the container; options are variables.
set -eu
if ! command -v npm >/dev/null; then
  echo "mfano needs Node.js 22.19, 24 or newer with npm, and this container has none" >&2
  exit 1
fi
# A pattern names the tarball beside this script.
cd "$(dirname "$0")"
npm install --global --no-audit --no-fund ${PACKAGE:-./mfano-*.tgz}
mfano version
