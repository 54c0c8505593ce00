#!/bin/sh
# Podman's shell driver for the secrets of logstack: list, lookup, store, delete. Podman runs it; people use `logstack vault`.
set -eu

root=$(dirname "$(dirname "$(readlink -f "$0")")")
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin exec node "$root/dist/secret-driver.mjs" "$@"
