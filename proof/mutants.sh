#!/usr/bin/env bash
# Puts faults of every kind into every function, one at a time, in a copy of this repository, and sees whether a test notices. Needs
# cargo-mutants. mutants.sh tries all rooms, which takes hours; mutants.sh guards tries one; SHARE=0/4 mutants.sh macros every fourth
# fault of it. What is left out, and why, is in .cargo/mutants.toml. What nothing noticed is printed, and kept in target/mutants.
#
# What costs is to build tests, not to run them. So a fault is tried first by one program, made of the files of tests that matter to the
# room: that is all that is built again, in a second or two. What it does not notice is tried by the unit tests and by the rest.
set -euo pipefail
cd "$(dirname "$0")/.."
kept=$PWD/target/mutants
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git clone --quiet --shared . "$copy"
mkdir -p "$kept"
cd "$copy"
export CARGO_TARGET_DIR=$kept/target CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0

# Makes the package `program` out of files of tests. Its dependencies are all those of another manifest that are not named here, and
# its features are switches without a function, for tests that ask for one.
program() {
    local manifest=$1 without=$2 file
    shift 2
    mkdir -p tests/crates/program/{src,tests}
    printf '//! Nothing.\n' >tests/crates/program/src/lib.rs
    {
        printf '[package]\nname = "program"\nversion = "0.0.0"\nedition.workspace = true\npublish = false\n'
        printf '[lib]\ntest = false\ndoctest = false\n'
        printf '[features]\ndefault = ["h2", "hyper", "hyper-util", "reqwest", "rustls", "tower", "ureq"]\n'
        printf '%s = []\n' h2 hyper hyper-util reqwest rustls tower ureq
        sed -nE '/^\[(dev-)?dependencies\]/,/^\[lints\]/p' "$manifest" | grep -vE "^($without|\[lints\]) *" |
            sed 's/, optional = true//; s#path = "\."#path = "../../../backoff-http"#'
    } >tests/crates/program/Cargo.toml
    for file; do
        printf '#[path = "../../../../%s"]\nmod %s;\n' "$file" "$(basename "$file" .rs)"
    done >tests/crates/program/tests/program.rs
}

# first ROOM CRATE PACKAGE TARGETS FILES..: the faults in these files, against tests of a package. SLOW are tests that take seconds.
first() {
    local room=$1 crate=$2 package=$3 targets=$4 files=()
    shift 4
    for file; do files+=("--file=$file"); done
    rm -rf "${kept:?}/$room"
    tried "$room/tried" "$crate" "$package" "$targets" ${SHARE:+--shard="$SHARE" --sharding=round-robin} "${files[@]}"
    cp "$kept/$room/tried/mutants.out/missed.txt" "$kept/$room/survivors"
}

# then_by ROOM CRATE PACKAGE TARGETS: what was not noticed so far, against other tests.
then_by() {
    local room=$1 again=()
    mapfile -t again < <(sed 's/[][\\.*^$+?(){}|]/\\&/g; s/^/--re=^/; s/$/$/' "$kept/$room/survivors")
    [ "${#again[@]}" -gt 0 ] || return 0
    tried "$room/again" "$2" "$3" "$4" "${again[@]}"
    # Only those: missing fields are tried again in any case.
    grep -xFf "$kept/$room/again/mutants.out/missed.txt" "$kept/$room/survivors" >"$kept/$room/left" || true
    mv "$kept/$room/left" "$kept/$room/survivors"
}

tried() {
    mkdir -p "$kept/$1"
    local output=$kept/$1 crate=$2 package=$3 targets=$4 arguments=()
    shift 4
    for target in $targets; do arguments+=("--cargo-arg=$target"); done
    # Without a fault the tests have to pass, or everything would be noticed.
    # shellcheck disable=SC2086
    cargo test --quiet --package "$package" $targets -- ${SLOW:-} >/dev/null
    # Afterwards 2 says that something was not noticed, and 3 that something took too long.
    # shellcheck disable=SC2086
    cargo mutants --in-place --baseline=skip --timeout "${PATIENCE:-10}" --minimum-test-timeout 10 --build-timeout 300 --output "$output" \
        --package "$crate" --test-package "$package" "${arguments[@]}" "$@" -- -- ${SLOW:-} || [[ $? =~ ^[23]$ ]]
}

figures() {
    local out=$kept/$1/tried/mutants.out survivors
    survivors=$(wc -l <"$kept/$1/survivors")
    echo "$1: $(($(cat "$out"/{caught,missed,timeout}.txt | wc -l) - survivors)) noticed, $survivors not"
    cat "$kept/$1/survivors"
}

core_program() {
    program Cargo.toml 'backoff-http|backoff-lab|reqwest|hyper|hyper-util|ureq|trybuild|http-body-util' "$@"
    SLOW='--skip ji_16 --skip ji_18 --skip jitter_keeps_its_full_width --skip measured --skip trimming_alone'
}

guards() {
    core_program tests/{behaviour,breaker,guards,vectors}_*.rs tests/{moments_and_rejections,regression_waiter_order}.rs \
        tests/{retry_queue_clock,success_clock,what_values_show,wrapped_rules}.rs
    first guards backoff-core program --test=program 'backoff-core/src/guard/**'
    SLOW='' then_by guards backoff-core backoff-core --lib
}

engine() {
    core_program tests/{behaviour,guards,vectors}_*.rs tests/{attribute_basics,attribute_guards,clocks_keep_their_word}.rs \
        tests/{deadlines,durations,errors_say,properties,schedule_in_print,serde_lengths,serde_policy}.rs \
        tests/{what_values_show,wrapped_generators}.rs \
        tests/regression_{last,options,testing,waiter}*.rs
    local files=(backoff-core/src/*.rs)
    files+=(backoff-core/src/{__private,clock,delay,error,policy,random,run,testing,waiter}/'**')
    first engine backoff-core program --test=program "${files[@]}"
    SLOW='' then_by engine backoff-core backoff-core --lib
    SLOW='' then_by engine backoff-core backoff '--test=attribute_* --test=telemetry --test=regression_* --test=faults'
}

# Servers that are slow on purpose: their tests wait side by side, and longer.
http() {
    program backoff-http/Cargo.toml nothing backoff-http/tests/behaviour_*.rs backoff-http/tests/tower*.rs \
        backoff-http/tests/{dates,dns,http2,hyper,idempotency,reqwest,reqwest_attribute,rules,rules_at_the_edges,ureq}.rs \
        backoff-http/tests/{vectors,vendors_in_detail,what_failures_tell}.rs
    local files=(backoff-http/src/*.rs)
    files+=(backoff-http/src/{grpc,hint,inspect,reqwest,rules,tower,ureq}/'**')
    SLOW='--skip ten_thousand --test-threads=16' PATIENCE=30 first http backoff-http program --test=program "${files[@]}"
    SLOW='' then_by http backoff-http backoff-http '--lib --test=vectors'
}

macros() {
    SLOW='--skip any_' first macros backoff-macros backoff-macros --lib 'backoff-macros/src/**'
    SLOW='' then_by macros backoff-macros backoff '--test=attribute_* --test=regression_attribute'
}

policy() {
    first policy backoff-policy backoff-policy --lib 'backoff-policy/src/**'
    then_by policy backoff-policy backoff-macros --lib
    core_program tests/{behaviour_config,durations,sentences,serde_policy}.rs
    SLOW='' then_by policy backoff-policy program --test=program
}

rooms=("$@")
if [ $# -eq 0 ]; then rooms=(guards engine http macros policy); fi
for room in "${rooms[@]}"; do
    "$room"
    figures "$room"
done
