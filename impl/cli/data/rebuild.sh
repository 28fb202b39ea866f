#!/bin/sh
# Rebuilds the two files of this folder from a Debian mirror through apt, in a throw-away apt root:
# the machine's own apt configuration and lists stay as they are. Needs apt, awk and lz4; no root rights.
#
#     sh rebuild.sh [OUTPUT-FOLDER]
set -eu

mirror=http://deb.debian.org/debian
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
output=$(cd "${1:-$(dirname "$0")}" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/lists/partial" "$root/cache/archives/partial" "$root/parts"

for suite in bookworm trixie; do
    echo "deb [arch=amd64 signed-by=$keyring] $mirror $suite main"
done > "$root/sources.list"

apt-get update \
    -o APT::Architecture=amd64 -o APT::Architectures::=amd64 -o APT::Sandbox::User="$(id -un)" \
    -o Dir::Etc::SourceList="$root/sources.list" -o Dir::Etc::SourceParts="$root/parts" \
    -o Dir::State::Lists="$root/lists" -o Dir::Cache="$root/cache" -o Acquire::Languages=none

packages() { # the suite's whole index as apt fetched and checked it, plain
    set -- "$root"/lists/*_dists_"$1"_main_binary-amd64_Packages*
    /usr/lib/apt/apt-helper cat-file "$1"
}

# A name belongs to the sample when either state files it under admin or net, so that a package which
# only changes its section is not taken for one that was removed.
for suite in bookworm trixie; do
    packages "$suite" | awk '/^Package: /{name=$2} /^Section: (admin|net)$/{print name}'
done | sort -u > "$root/names"

for suite in bookworm trixie; do
    release=$(echo "$root"/lists/*_dists_"$suite"_InRelease)
    date=$(sed -n 's/^Date: //p' "$release")
    day=$(date -u -d "$date" +%Y-%m-%d)
    packages "$suite" | awk -v names="$root/names" '
        BEGIN { while ((getline name < names) > 0) wanted[name] = 1 }
        /^Package: / { take = ($2 in wanted) }
        take && /^(Package|Version|SHA256): /
        take && /^$/' > "$root/$suite-$day"
    lz4 -9 -q -f "$root/$suite-$day" "$output/debian-$suite-$day.packages.lz4"
    echo "$suite $(sed -n 's/^Version: //p' "$release"), Date: $date"
    echo "    index: $(packages "$suite" | sha256sum | cut -d' ' -f1)"
    echo "    sample: $(sha256sum < "$root/$suite-$day" | cut -d' ' -f1), $(grep -c ^Package: "$root/$suite-$day") stanzas"
done
