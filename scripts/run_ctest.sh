# shellcheck shell=bash
# run_ctest.sh - sourced by test and test_portable: run tests with CTest and add up
# what came of them. jobs is how many at a time.

passed=0
failed=0
skipped=0

# A folder that cannot be built, or that has no tests, counts as one failure.
fail() {
    echo "$0: $*" >&2
    failed=$((failed + 1))
}

# count REPORT PATTERN: lines of a JUnit report, in which output is escaped.
count() {
    grep -c "$2" "$1" || true
}

# run FOLDER ARGUMENT...: its tests, added to the sum. What was not run failed,
# unless the test itself said that it cannot be run here.
run() {
    local folder=$1 report=$1/tests.xml all=0 bad good not_here status=0
    shift
    rm -f "$report"
    ctest --test-dir "$folder" --parallel "$jobs" --output-on-failure --no-tests=error \
        --output-junit tests.xml "$@" || status=$?
    [ ! -f "$report" ] || all=$(count "$report" '<testcase ')
    if [ "$all" -eq 0 ]; then
        fail "$folder: no test was run"
        return
    fi
    good=$(count "$report" '<testcase .*status="run"')
    not_here=$(count "$report" '<skipped message="SKIP_\|<testcase .*status="disabled"')
    bad=$((all - good - not_here))
    passed=$((passed + good))
    skipped=$((skipped + not_here))
    failed=$((failed + bad))
    [ "$status" -eq 0 ] || [ "$bad" -gt 0 ] || fail "$folder: ctest ended with $status"
}

# The last line, and whether all is well.
print_sum() {
    echo "epref: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
