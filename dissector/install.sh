#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Puts the plugin where the installed Wireshark looks for it.   install.sh BUILD-FOLDER
set -eu
build=$1

# Wireshark names its folders itself, by its version.
folders=$(tshark -G folders 2>/dev/null) || {
    echo "tshark does not run: install Wireshark (Debian: apt install tshark)" >&2
    exit 1
}
if [ "$(id -u)" = 0 ]; then
    kind="Global Plugins"
else
    kind="Personal Plugins"
fi
folder=$(echo "$folders" | sed -n "s/^$kind:[[:space:]]*//p")
version=$(tshark --version | sed -n '1s/.*[ (]\([0-9]*\.[0-9]*\)\.[0-9]*.*/\1/p')
case $folder in
*"$version") ;;
*) folder=$folder/$version ;;
esac

mkdir -p "$folder/epan"
install -m 644 "$build/sctp_rack.so" "$folder/epan/"
echo "installed $folder/epan/sctp_rack.so"
if ! tshark -G plugins 2>/dev/null | grep -q '^sctp_rack\.so'; then
    echo "Wireshark $version does not load it:" >&2
    tshark -G plugins 2>&1 | grep -i sctp_rack >&2 || true
    exit 1
fi
echo "Help > About Wireshark > Plugins lists it; to remove it, delete that file"
