#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing and nothing else; takes a few hundredths of a second when all is there.
#
#   sim/setup.sh [GROUP...]     further groups beside core: lint waves bus regs (any group of the two lists)
#   sim/setup.sh --tool         less than core: what the tool and the C model need, without Verilator; in a tarball of
#                               `make dist` (it has a file VERSION) without Python too
#
# Debian packages of sim/apt.txt go in through apt-get if that is allowed (root, or sudo without a password), else the
# exact command is printed. Python packages of sim/requirements*.txt go into .venv.

set -eu
cd "$(dirname "$0")/.."

if [ "$*" = --tool ]; then groups=tool; else groups="core $*"; fi
python_wanted=yes
[ "$groups" != tool ] || [ ! -f VERSION ] || python_wanted=

fail()
{
    printf 'setup: %s\n' "$1" >&2
    exit 1
}

in_groups()
{
    case " $groups " in *" $1 "*) return 0 ;; esac
    return 1
}

for group in $groups; do
    case $group in core | tool) continue ;; esac
    [ -f "sim/requirements-$group.txt" ] || grep -q "^[^#]* $group\$" sim/apt.txt ||
        fail "there is no group '$group'; groups: $(sed -n 's/^[^# ]* //p' sim/apt.txt | sort -u | tr '\n' ' ')$(ls \
            sim/requirements-*.txt | sed 's/.*requirements-//; s/\.txt//' | tr '\n' ' ')"
done

# Two targets of one make may come here together.
mkdir -p build
if [ -z "${TOTEM_SETUP_LOCKED:-}" ] && command -v flock >/dev/null; then
    TOTEM_SETUP_LOCKED=1 exec flock build/.setup.lock "$0" "$@"
fi

wanted=
while read -r package group; do
    case "$package" in ''|\#*) continue ;; python3*) [ "$python_wanted" ] || continue ;; esac
    if [ -z "$group" ] || in_groups "$group"; then
        wanted="$wanted $package"
    fi
done < sim/apt.txt

if command -v dpkg-query >/dev/null; then
    installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package} ' $wanted 2>/dev/null || true)"
    missing=
    for package in $wanted; do
        case "$installed" in *" installed $package "*) ;; *) missing="$missing $package" ;; esac
    done
    if [ -n "$missing" ]; then
        install="apt-get install -y --no-install-recommends$missing"
        if [ "$(id -u)" = 0 ]; then
            as_root=
        elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            as_root="sudo -n"
        else
            fail "packages are missing and this user may not install them; run:
    sudo apt-get update && sudo $install"
        fi
        printf 'setup: installing%s\n' "$missing"
        log=build/setup-apt.log
        apt()
        {
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 "$@" \
                >>"$log" 2>&1 </dev/null
        }
        : >"$log"
        # The package lists are fetched only if those at hand do not do.
        apt install -y --no-install-recommends $missing ||
            { apt update && apt install -y --no-install-recommends $missing; } ||
            { tail -n 15 "$log" >&2; fail "apt-get failed (all of it in $log); by hand: $install"; }
    fi
else
    echo "setup: not a Debian system; this expects to find:$wanted" >&2
fi

[ "$python_wanted" ] || exit 0

# Debian's own Python first: a newer one on the path may have no wheels for the pinned versions.
python=/usr/bin/python3
[ -x "$python" ] || python=$(command -v python3) || fail "python3 is missing"
# Programs of .venv name its folder in their first line: one that was moved is made anew.
place=.venv/.totem-place
if ! .venv/bin/python -c '' 2>/dev/null || { [ -f $place ] && [ "$(cat $place)" != "$(readlink -f .venv)" ]; }; then
    echo "setup: creating .venv"
    rm -rf .venv
    "$python" -m venv .venv || fail "'$python -m venv .venv' failed; is python3-venv installed?"
fi
[ -f $place ] || readlink -f .venv >$place
for group in $groups; do
    list=sim/requirements-$group.txt
    case $group in core | tool) list=sim/requirements.txt group=core ;; esac
    [ -f "$list" ] || continue
    stamp=.venv/.totem-$group
    cmp -s "$list" "$stamp" && continue
    echo "setup: Python packages of group $group"
    "$(cat $place)/bin/python" -m pip install --quiet --disable-pip-version-check --no-input -r "$list" ||
        fail "pip could not install $list; is there a network?"
    cp "$list" "$stamp"
done
