#!/bin/sh
set -eu
out=${BUILD_DIR:-build}
mkdir -p "$out"
"${CC:-cc}" -O1 -Wall -o "$out/tally" src/main.c src/count.c
"${CC:-cc}" -O1 -Wall -o "$out/upload" src/upload.c
echo "built $out/tally"
