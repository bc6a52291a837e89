#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Functional coverage, short: directed tests and a few random seeds in configuration mini come into the points of every
# section, and the report tells what a draw leaves out: with a draw that has no WAIT_TIMER and no chained buffer their
# points, and no others of that kind, are listed. All of it: make cover.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh

mkdir -p build/test
cover() # name option...
{
    local name=$1
    shift
    .venv/bin/python sim/run/cover.py --config mini --no-rtl --seeds 5 --clocks 4000 "$@" \
        >build/test/cover-$name.txt 2>&1
    cp build/cover/coverage.md build/test/cover-$name.md
}
listed() # name point
{
    [ -s build/test/cover-$1.md ] || return 2
    sed -n '/^## Points not hit/,/^## Readiness/p' build/test/cover-$1.md | grep -q "^| \`$2\` .*\*\*none\*\* |$"
}

cover all
hit=$(sed -n 's/^\*\*\([0-9]*\) of \([0-9]*\) points.*/\1/p' build/test/cover-all.md)
of=$(sed -n 's/^\*\*\([0-9]*\) of \([0-9]*\) points.*/\2/p' build/test/cover-all.md)
if [ "${hit:-0}" -gt 0 ] && [ $((hit * 100)) -ge $((of * 75)) ] &&
    grep -q '; 0 runs failed$' build/test/cover-all.txt; then
    good "$hit of $of points hit in mini"
else
    bad "${hit:-no} of ${of:-no} points hit in mini (build/test/cover-all.txt)"
fi
for point in wait_timer gives_up_timer chained_buffer end_to_fence pairs_become_equal polled_moves kill_expires \
    tally_cleared moved_loaded borrow_answered; do
    listed all $point
    if [ $? -eq 1 ]; then good "$point is hit"; else bad "$point is not hit"; fi
done

sed -e 's/case 10: return wait_timer(a, to);/case 10: return filler(a, to);/' -e \
    's/^    if (chance(a, 48) &&/    if (chance(a, 0) \&\&/' \
    -e 's|^static uint32_t wait_timer|__attribute__((unused)) &|' tb/lockstep/software/packets.c >build/test/packets.c
if [ "$(diff tb/lockstep/software/packets.c build/test/packets.c | grep -c '^>')" -ne 3 ]; then
    bad "the draw could not be changed"
fi
cover draw --random-only --agent build/test/packets.c
for point in wait_timer gives_up_timer chained_buffer; do
    if listed draw $point; then
        good "without it in the draw, $point is listed"
    else
        bad "$point is not listed though nothing draws it"
    fi
done
for point in gives_up_wait indirect_buffer dispatch_indirect; do
    listed draw $point
    if [ $? -eq 1 ]; then good "$point is still hit"; else bad "$point is listed though it is drawn"; fi
done
finish
