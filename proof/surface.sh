#!/usr/bin/env bash
# What the crates show to others: their public interface, every combination of features, the oldest dependencies that they promise, and
# licences. A part whose tool is missing is skipped, and says so. One part alone: surface.sh api
# After a wanted change: API=write proof/surface.sh api
set -euo pipefail
cd "$(dirname "$0")/.."

crates=(backoff-policy backoff-core backoff-http)

has() {
    if ! "$@" --version >/dev/null 2>&1; then
        echo "skipped: \`$*\` is not installed"
        return 1
    fi
}

api() {
    has cargo public-api && has cargo +nightly || return 0
    local crate file
    for crate in "${crates[@]}"; do
        file=proof/api/$crate.txt
        if [ "${API:-}" = write ]; then
            mkdir -p proof/api
            cargo +nightly public-api -p "$crate" --all-features -sss >"$file"
        elif [ ! -f "$file" ]; then
            echo "skipped: there is no $file yet"
            continue
        else
            diff -u "$file" <(cargo +nightly public-api -p "$crate" --all-features -sss)
        fi
        echo "$crate: $(wc -l <"$file") items"
    done
}

powerset() {
    has cargo hack || return 0
    cargo hack --locked check --quiet --feature-powerset --depth 2 -p backoff-core -p backoff-http
}

minimal() {
    has cargo +nightly || return 0
    local copy
    copy=$(mktemp -d)
    git clone --quiet --shared . "$copy"
    (
        cd "$copy"
        # What users depend on, without what only tests and the laboratory need.
        sed -i -e '/^\[package\]$/,$d' -e '/^backoff-lab =/d' \
            -e 's/^members = .*/members = ["backoff-core", "backoff-http", "backoff-macros", "backoff-policy"]/' Cargo.toml
        rm -r backoff-lab
        for crate in backoff-*/Cargo.toml; do sed -i '/^\[dev-dependencies\]$/,/^\[lints\]$/{/^\[lints\]$/!d}' "$crate"; done
        # A lock file is for every target, and what `getrandom` takes on one of them wants a newer `serde` than the engine does.
        sed -i 's/^serde = { version = "1",/serde = { version = "1.0.228",/' backoff-core/Cargo.toml
        cargo +nightly update --quiet -Z direct-minimal-versions
        CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$copy/target} cargo check --quiet --locked -p backoff-core -p backoff-http --all-features
    )
    rm -rf "$copy"
    echo "the oldest dependencies that are promised build"
}

# Advisories need a database from the network.
licences() {
    has cargo deny || return 0
    cargo deny --workspace --all-features check licenses bans sources
}

parts=(api powerset minimal licences)
if [ $# -gt 0 ]; then parts=("$@"); fi
for part in "${parts[@]}"; do
    echo "--- $part"
    "$part"
done
