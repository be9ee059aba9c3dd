#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Puts the plugin where the installed Wireshark looks for it.   install.sh [FOLDER-OF-THE-PLUGIN]
# What stands in `built-for` beside the plugin has to be what is installed: Wireshark loads plugins of its own minor
# version alone, and the loader says little of a missing glibc.
set -eu
plugin=${1:-$(dirname "$0")}

refuse() {
    echo "$1" >&2
    exit 1
}

# Wireshark names its folders itself, by its version; tshark can be asked for them.
if folders=$(tshark -G folders 2>/dev/null); then
    program=tshark
elif command -v wireshark >/dev/null; then
    program=wireshark
    [ "$(id -u)" != 0 ] || refuse "only tshark says where plugins for everybody go: install it, or run this as yourself"
    folders="Personal Plugins:	$HOME/.local/lib/wireshark/plugins"
else
    refuse "tshark does not run: install Wireshark (Debian: apt install tshark)"
fi
version=$($program --version 2>/dev/null | sed -n '1s/.*[ (]\([0-9]*\.[0-9]*\)\.[0-9]*.*/\1/p')
[ -n "$version" ] || refuse "$program does not say its version"

# is WHAT: what the plugin was built for.
is() {
    sed -n "s/^$1 //p" "$plugin/built-for"
}

if [ -e "$plugin/built-for" ]; then
    [ "$(is wireshark)" = "$version" ] ||
        refuse "this plugin is for Wireshark $(is wireshark), installed is $version: nothing is changed"
    [ "$(is machine)" = "$(uname -m)" ] ||
        refuse "this plugin is for $(is machine), this is $(uname -m): nothing is changed"
    glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/^glibc //')
    older=$(printf '%s\n%s\n' "$(is glibc)" "${glibc:-0}" | sort -V | head -n 1)
    [ "$older" = "$(is glibc)" ] ||
        refuse "this plugin needs glibc $(is glibc), installed is ${glibc:-none}: nothing is changed"
fi

if [ "$(id -u)" = 0 ]; then
    kind="Global Plugins"
else
    kind="Personal Plugins"
fi
folder=$(echo "$folders" | sed -n "s/^$kind:[[:space:]]*//p")
case $folder in
*"$version") ;;
*) folder=$folder/$version ;;
esac

mkdir -p "$folder/epan"
install -m 644 "$plugin/sctp_rack.so" "$folder/epan/"
echo "installed $folder/epan/sctp_rack.so"
if [ $program = tshark ] && ! tshark -G plugins 2>/dev/null | grep -q '^sctp_rack\.so'; then
    echo "Wireshark $version does not load it:" >&2
    tshark -G plugins 2>&1 | grep -i sctp_rack >&2 || true
    exit 1
fi
echo "Help > About Wireshark > Plugins lists it; to remove it, delete that file"
