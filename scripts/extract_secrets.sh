# shellcheck shell=bash
# Exports one variable a secret, named as the secret. Source it: `source extract_secrets.sh -q` (-q: quiet, -p: print what was exported).
# Changes no options of the shell, evaluates no secret, and may be sourced any number of times.

if ! (return 0 2>/dev/null); then
  printf 'extract_secrets.sh: source it, or nothing reaches your shell: source %s -q\n' "$0" >&2
  exit 1
fi

_logstack_extract_secrets() {
  local print=no program names name value
  case ${1:-} in
    -p) print=yes ;;
    -q | '') ;;
    *)
      printf 'extract_secrets.sh: unknown option %s, use -q or -p\n' "$1" >&2
      return 2
      ;;
  esac
  program=$(readlink -f "${BASH_SOURCE[0]}") || return
  program=$(dirname "$(dirname "$program")")/logstack
  names=$("$program" vault list </dev/null) || return
  while IFS= read -r name; do
    # A name that is no variable's cannot be exported.
    case $name in '' | [0-9]* | *[!A-Za-z0-9_]*) continue ;; esac
    value=$("$program" vault view "$name" </dev/null) || return
    export "$name=$value"
    if [ "$print" = yes ]; then printf 'Exported %s: %s\n' "$name" "$value"; fi
  done <<NAMES
$names
NAMES
}

_logstack_extract_secrets "$@" || {
  unset -f _logstack_extract_secrets
  return 1
}
unset -f _logstack_extract_secrets
