#!/bin/sh
# deploy.sh install | uninstall | renew | upgrade | update: a face of the logstack command. What follows the word is given on to it.
set -eu

scripts=$(dirname "$(readlink -f "$0")")
logstack=$(dirname "$scripts")/logstack

usage() {
  printf '%s\n' \
    "usage: $(basename "$0") install | uninstall | renew | upgrade | update [OPTION]..." \
    '  install    put the stack on this host' \
    '  uninstall  take it from this host; --keep-data keeps what it stored' \
    '  renew      new certificates under the same authority; agents notice nothing' \
    '  upgrade    replace the installed programs by those of this folder; data, secrets and edits stay' \
    '  update     the same as upgrade'
}

word=${1:-}
[ $# -eq 0 ] || shift
case $word in
  install) exec "$scripts/install.sh" "$@" ;;
  uninstall) exec "$logstack" uninstall "$@" ;;
  renew) exec "$logstack" certs renew "$@" ;;
  upgrade | update) exec "$logstack" install "$@" ;;
  -h | --help | '') usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
