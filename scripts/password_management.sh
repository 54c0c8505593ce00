#!/bin/sh
# Passwords: -l lists the users, -s [USER] sets a user's password (typed, or from standard input; empty makes a random one).
set -eu

self=$(readlink -f "$0")
logstack=$(dirname "$(dirname "$self")")/logstack

usage() {
  printf 'usage: %s -l | -s [USER]\n  -l         list the users and which have a stored password\n  -s [USER]  set the password of a user\n' \
    "$(basename "$0")"
}

case ${1:-} in
  -l) exec "$logstack" password list ;;
  -s)
    shift
    exec "$logstack" password set "$@"
    ;;
  -h | '') usage ;;
  *)
    usage >&2
    exit 2
    ;;
esac
