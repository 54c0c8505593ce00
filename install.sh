#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/scripts/install.sh" "$@"
