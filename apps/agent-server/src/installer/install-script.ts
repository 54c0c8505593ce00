import { type AgentCatalogue, agentRuntime } from '@logstack/contracts'

/** What the script is made of; hashes are SHA-256 in hexadecimal. */
export interface ScriptFacts {
  /** agent-server's address for agents. */
  readonly url: string
  /** PEM of the authority that signs the servers' certificates. */
  readonly ca: string
  readonly agentSha256: string
  /** As `uname -m` says it: the machine that the offered Node.js is for. */
  readonly machine: string
  readonly nodeSha256: string
  /** The executables that are offered. */
  readonly executables: AgentCatalogue
}

const nodeMin = [20, 19] as const
const environment = Object.entries(agentRuntime.environment)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')
// As `uname -m` says it.
const machines = { x86_64: 'logstack-agent-linux-x64', aarch64: 'logstack-agent-linux-arm64' }

/** One branch a machine for which there is an executable: its name and the hash of what is downloaded. */
function executableCases(executables: AgentCatalogue): string {
  return Object.entries(machines)
    .flatMap(([machine, name]) => {
      const known = executables[name]
      return known ? `  Linux-${machine}) executable=${name}; executable_sha256=${known.packed_sha256} ;;\n` : []
    })
    .join('')
}

/**
 * The script that installs the agent on a host: POSIX sh, needs curl and sha256sum. It holds the authority's certificate and the hashes of all it
 * downloads, so whoever knows the script's own hash need not trust the network. `LOGSTACK_AGENT_ROOT` puts everything below another folder and
 * leaves systemd alone.
 */
export function installScript({ url, ca, agentSha256, machine, nodeSha256, executables }: ScriptFacts): string {
  return `#!/bin/sh
# Installs the logstack agent from ${url}: sh logstack-agent.sh --token TOKEN [--force] | --uninstall
set -eu
url='${url}'
root="\${LOGSTACK_AGENT_ROOT:-}"
programs="$root/usr/lib/logstack-agent"
data="$root/var/lib/logstack-agent"
unit="$root/etc/systemd/system/logstack-agent.service"
token=''
force=''
uninstall=''

say() { printf '%s\\n' "logstack agent: $*"; }
fail() { say "$1" >&2; [ -z "\${2:-}" ] || printf '  %s\\n' "$2" >&2; exit 1; }
while [ $# -gt 0 ]; do
  case "$1" in
    --token) token="\${2:?--token needs a value}"; shift 2 ;;
    --token-file) token="$(cat "\${2:?--token-file needs a value}")"; shift 2 ;;
    --force) force=--force; shift ;;
    --uninstall) uninstall=yes; shift ;;
    *) fail "unknown option $1" "sh logstack-agent.sh --token TOKEN [--force] | --uninstall" ;;
  esac
done
[ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "this needs root" "run it with sudo"
has_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ]; }
runs() { if has_systemd; then systemctl is-active --quiet logstack-agent; else [ -f "$data/identity.json" ]; fi; }
is_new_enough() { "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > ${nodeMin[0]} || (a === ${nodeMin[0]} && b >= ${nodeMin[1]}) ? 0 : 1)' 2>/dev/null; }

# The machine the stack runs on has an agent of the stack's own, which the stack installs, repairs and takes away.
if [ -f "$unit" ] && ! grep -qF "ExecStart=$programs/" "$unit"; then
  say "this is the machine the stack runs on: its agent belongs to the stack (logstack doctor repairs it)"
  exit 0
fi
if [ -n "$uninstall" ]; then
  if has_systemd; then systemctl disable --now logstack-agent 2>/dev/null || true; fi
  if [ -f "$programs/agent.mjs" ] || [ -f "$programs/logstack-agent" ]; then "$programs/run" uninstall --data "$data" || fail "the agent could not be taken away"; fi
  rm -rf "$programs" "$unit"
  if has_systemd; then systemctl daemon-reload; fi
  say "taken away"
  exit 0
fi
if [ -e "$programs/agent.mjs" ] || [ -e "$programs/logstack-agent" ] || [ -e "$unit" ] || [ -e "$data/identity.json" ]; then
  if [ -z "$force" ] && runs; then
    if grep -qF "\\"url\\":\\"$url\\"" "$data/identity.json"; then say "installed already, and running"; exit 0; fi
    fail "this host is enrolled with another server" "to move it to $url run the same command with --force"
  fi
  [ -n "$force" ] || fail "the agent is installed but broken" "run the same command with --force"
fi
[ -n "$token" ] || fail "no enrolment token was given" "make one in the dashboard: Agents, Add agent"
command -v curl >/dev/null || fail "curl is not installed" "apt-get install curl"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cat > "$work/ca.crt" <<'AUTHORITY'
${ca.trim()}
AUTHORITY
fetch() {
  curl --fail --silent --show-error --retry 3 --cacert "$work/ca.crt" --output "$work/$1" "$url/api/agent/$1" ||
    fail "cannot download $1 from $url" "is agent-server up, and is its port open from here?"
  printf '%s  %s\\n' "$2" "$work/$1" | sha256sum --check --status - ||
    fail "$1 is not what the script expects" "download the script again: the stack was upgraded meanwhile"
}
node="$(command -v node || true)"
executable=''
case "$(uname -s)-$(uname -m)" in
${executableCases(executables)}  *) ;;
esac
if [ -n "$node" ] && is_new_enough "$node"; then
  fetch agent.mjs ${agentSha256}
  program="$programs/agent.mjs"
elif [ -n "$executable" ]; then
  fetch "$executable.gz" "$executable_sha256"
  gzip -d "$work/$executable.gz"
  chmod 755 "$work/$executable"
  "$work/$executable" --version >/dev/null || fail "the downloaded agent does not run here" "install Node.js ${nodeMin.join('.')} or newer"
  mv "$work/$executable" "$work/logstack-agent"
  node=''
  program="$programs/logstack-agent"
else
  [ "$(uname -m)" = '${machine}' ] || fail "Node.js ${nodeMin.join('.')} or newer is not installed" "install it, or give the stack agents for this machine: npm run build:agents"
  fetch agent.mjs ${agentSha256}
  fetch node ${nodeSha256}
  chmod 755 "$work/node"
  is_new_enough "$work/node" || fail "the downloaded Node.js does not run here" "install Node.js ${nodeMin.join('.')} or newer"
  node="$programs/node"
  program="$programs/agent.mjs"
fi
if [ -n "$force" ] && has_systemd; then systemctl stop logstack-agent 2>/dev/null || true; fi
mkdir -p "$programs" "$data"
chmod 700 "$data"
rm -f "$programs/agent.mjs" "$programs/logstack-agent" "$programs"/*.previous "$programs"/*.starts
if [ -f "$work/node" ]; then mv "$work/node" "$programs/node"; else rm -f "$programs/node"; fi
mv "$work/$(basename "$program")" "$program"
{
  printf "#!/bin/sh\\nprogram='%s'\\nnode='%s'\\n" "$program" "$node"
  cat <<'RUN'
# After an upgrade the program before lies beside the new one until that has checked in. A new one that cannot even start is never told to go back,
# so it is done here, at its fourth start.
if [ "$1" = run ] && [ -f "$program.previous" ]; then
  starts="$(cat "$program.starts" 2>/dev/null || echo 0)"
  if [ "$starts" -ge 3 ]; then
    mv -f "$program.previous" "$program"
    rm -f "$program.starts"
  else
    echo "$((starts + 1))" > "$program.starts"
  fi
fi
export ${environment}
if [ -n "$node" ]; then exec "$node" ${agentRuntime.options.join(' ')} "$program" "$@"; fi
exec "$program" "$@"
RUN
} > "$programs/run"
chmod 755 "$programs/run"
if ! printf '%s\\n' "$token" | "$programs/run" enroll --url "$url" --ca "$work/ca.crt" --token-file - --data "$data" $force; then
  # What was enrolled before goes on with what it was.
  if has_systemd && [ -f "$unit" ] && [ -f "$data/identity.json" ]; then systemctl start logstack-agent || true; fi
  exit 1
fi
if has_systemd; then
  cat > "$unit" <<UNIT
[Unit]
Description=logstack agent
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStart=$programs/run run --data $data
Restart=always
RestartSec=5s
NoNewPrivileges=yes

[Install]
WantedBy=multi-user.target
UNIT
  systemctl daemon-reload
  systemctl enable --now logstack-agent
  # Enrolment leaves no policy behind: there is one once the agent has checked in.
  waited=0
  until [ -s "$data/policy.json" ]; do
    [ "$waited" -lt 120 ] || fail "the agent does not check in" "journalctl -u logstack-agent"
    sleep 1
    waited=$((waited + 1))
  done
  systemctl is-active --quiet logstack-agent || fail "the agent does not run" "journalctl -u logstack-agent"
  say "installed and running"
else
  say "installed; there is no systemd here, so start it with: $programs/run run --data $data"
fi
`
}
