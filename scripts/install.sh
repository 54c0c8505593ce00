#!/bin/sh
# Installs the stack on this host, as root: a face of `logstack install`, with the same options. IPVAR in the environment stands for --ip.
set -eu

logstack=$(dirname "$(dirname "$(readlink -f "$0")")")/logstack
[ -z "${IPVAR:-}" ] || set -- --ip "$IPVAR" "$@"
exec "$logstack" install "$@"
