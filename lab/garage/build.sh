#!/bin/sh
# usage: build.sh [JOBS]
# Builds Garage from its crate into the user's cache, once, and prints the
# program's path. It takes some ten minutes on one core.
set -eu
version=2.5.0
cache=${XDG_CACHE_HOME:-$HOME/.cache}/assay-lab
root=$cache/garage-$version
PATH=$PATH:$HOME/.cargo/bin
if [ -x "$root/bin/garage" ]; then
	echo "$root/bin/garage"
	exit 0
fi
"$(dirname "$0")"/../../scripts/need cc:gcc make:make pkg-config:pkg-config
if ! command -v cargo >/dev/null 2>&1; then
	# Debian 12 has a Rust that is too old for Garage; rustup brings a new one.
	"$(dirname "$0")"/../../scripts/need rustup:rustup || {
		echo "cargo is missing: install it from https://rustup.rs" >&2
		exit 1
	}
	rustup toolchain install stable --profile minimal >&2
fi
# What was compiled stays in the cache until the whole is done, so that a build
# that was interrupted goes on.
mkdir -p "$cache"
export CARGO_TARGET_DIR="$cache/garage-$version.build"
cargo install garage --version "$version" --locked --root "$root" -j "${1:-1}" >&2
rm -rf "$CARGO_TARGET_DIR"
echo "$root/bin/garage"
