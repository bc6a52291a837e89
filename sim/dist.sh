#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make dist: build/totem-<version>.tar.gz, the files of the repository with everything that a build generates from them,
# so that library and tool build without Python. Prints its name.
#
# The version is the revision; -dirty: with changes that are not committed. All files have the time of the commit
# (SOURCE_DATE_EPOCH: another), so that equal files give an equal archive, and make finds nothing to generate again.
set -eu
cd "$(dirname "$0")/.."

version=$(git describe --always --dirty)
stage=build/dist/totem-$version
rm -rf "$stage"
mkdir -p "$stage/build/generated"
git ls-files | xargs ls -d 2>/dev/null | xargs cp --parents -t "$stage" # without those that have been removed
echo "$version" >"$stage/VERSION"
make -s -C cmodel wiring
cp -r build/generated/cmodel "$stage/build/generated"
for config in $(.venv/bin/python sim/gen/gen_config.py --show | cut -d' ' -f1); do
    mkdir -p "$stage/build/lockstep/$config"
    .venv/bin/python sim/gen/gen_lockstep.py "$config" "$stage/build/lockstep/$config"
done
tar --sort=name --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" --owner=0 --group=0 --numeric-owner \
    --mode=u+w,go+rX-w --exclude=.lock -C build/dist -cf - "totem-$version" | gzip -9n >"build/totem-$version.tar.gz"
rm -rf "$stage"
echo "build/totem-$version.tar.gz"
