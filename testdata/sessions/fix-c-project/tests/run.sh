#!/bin/sh
# run.sh            compare tally's output with tests/cases/*.out
# run.sh --update   write those files anew
# run.sh --log FILE write the result to FILE too
set -eu
tally=${BUILD_DIR:-build}/tally
failed=0 passed=0
for input in tests/cases/*.in; do
	expected=${input%.in}.out
	got=$("$tally" <"$input")
	if [ "${1:-}" = --update ]; then
		echo "$got" >"$expected"
	fi
	if [ "$got" = "$(cat "$expected")" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $input: got $got, not $(cat "$expected")"
	fi
done
if [ "${1:-}" = --log ]; then
	echo "$passed passed, $failed failed" >"$2"
fi
echo "$passed passed, $failed failed"
test "$failed" = 0
