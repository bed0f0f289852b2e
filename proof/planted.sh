#!/usr/bin/env bash
# Plants a fault in each rule of the contract, one line each (`planted/c07_..patch` in rule C7), in a copy of this repository, and
# sees that the test named after the rule fails (`c07_..` in model/tests/contract.rs). Some minutes. One rule alone: planted.sh c07
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git clone --quiet --shared . "$copy"
cd "$copy"
export CARGO_TARGET_DIR=${PLANTED_TARGET_DIR:-$copy/target}

contract() {
    cargo test --quiet --locked -p model --test contract -- "$@"
}

contract >/dev/null || { echo "the contract is broken before a fault is planted" >&2; exit 1; }
survived=0 planted=0
for patch in "$root"/proof/planted/"${1:-c}"*.patch; do
    name=$(basename "$patch" .patch)
    rule=${name%%_*}
    git apply -C1 --recount "$patch" || { echo "$name: does not apply any more" >&2; exit 1; }
    planted=$((planted + 1))
    if ! cargo build --quiet --locked -p model 2>build.log; then
        cat build.log >&2
        echo "$name: does not compile" >&2
        exit 1
    fi
    if output=$(contract "${rule}_" 2>&1); then
        survived=$((survived + 1))
        echo "$name: NOT NOTICED"
    else
        echo "$name: $(grep -oE "^${rule}_[a-z0-9_]+ --- FAILED|test ${rule}_[a-z0-9_]+ \.\.\. FAILED|^    ${rule}_[a-z0-9_]+" <<<"$output" | head -n 1 | xargs)"
    fi
    git checkout --quiet -- .
done
echo "$planted planted, $survived not noticed"
[ "$survived" -eq 0 ] && [ "$planted" -gt 0 ]
