import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { whyNoHost } from './debian-host.ts'
import { runGuide } from './guide.ts'
import { bootOperatorHost, type OperatorHost } from './installed-host.ts'
import { baseImage } from './podman-host.ts'

// The operator's guide, page by page, as an administrator follows it on one host: each test goes on where the one before ended.
const reason = whyNoHost()
/** The image the Containerfile names, which no registry can be asked for here. */
const shippedBase = 'docker.io/library/node:20-trixie-slim'
const limitMs = 900_000
let host: OperatorHost

const shell = (script: string): Promise<string> => host.shell(script)
const guide = (page: string, kind?: 'watch' | 'elsewhere') => runGuide(page, shell, kind)

/** Asks search as the administrator; the answer's text. */
const ask = (method: string, path: string, body = ''): Promise<string> =>
  shell(
    `curl -sS --cacert '/opt/logstack/Chapter 3 Files/certs/root-ca.crt' -u "elastic:$(logstack password show)" -X ${method} 'https://localhost:9200/${path}' -H 'content-type: application/json' -d '${body}'`,
  )

beforeAll(async () => {
  if (reason) return
  host = await bootOperatorHost('operate')
  await host.run('podman', 'tag', baseImage, shippedBase)
}, limitMs)

afterAll(async () => {
  if (!reason) await host.down()
}, 120_000)

describe.skipIf(reason)('the guide', () => {
  test('install.md', { timeout: limitMs }, async () => {
    const printed = await guide('install.md')
    expect(printed.get('sudo ./logstack install --dry-run')).toBe('')
    const units = printed.get('sudo systemctl list-unit-files logstack\\*')
    expect(units).toMatch(/^logstack\.service +enabled/m)
    expect(units).toMatch(/^logstack-search\.service +generated/m)
    await host.allUp()
  })

  test('the host itself is enrolled, and its journal arrives', { timeout: limitMs }, async () => {
    await host.run(
      'logger',
      '--tag',
      'sshd',
      '--priority',
      'auth.info',
      'Failed password for root from 203.0.113.9 port 4 ssh2',
    )
    let hits = ''
    for (let tries = 0; tries < 120 && !hits.includes('203.0.113.9'); tries += 1) {
      hits = await ask('POST', 'logs-*/_search', '{"query":{"term":{"source.ip":"203.0.113.9"}}}')
    }
    expect(hits).toContain('203.0.113.9')
  })

  test('running.md', { timeout: limitMs }, async () => {
    const printed = await guide('running.md')
    expect(printed.get('sudo logstack status')).toMatch(/^logstack-search Up .*\(healthy\)$/m)
    expect(printed.get('sudo logstack logs search --lines 20')).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} INFO {2}ready/m,
    )
    expect(printed.get('sudo logstack logs search --lines 20 --json')).toContain('"msg":"ready"')
    expect(printed.get('sudo logstack config check')).toMatch(/^ok {6}alerter$/m)
    await host.allUp()
    const watched = await guide('running.md', 'watch')
    expect(watched.get('sudo logstack status --watch')).toMatch(/^logstack-search Up /m)
  })

  test('doctor.md, support-bundle.md, retention.md and audit.md', { timeout: limitMs }, async () => {
    // On a busy host something may not have been looked at in time: exit code 6, as the page says.
    const orUnseen = (script: string): Promise<string> => shell(`(${script}\n) || [ $? = 6 ]`)
    await runGuide('doctor.md', orUnseen)
    await runGuide('doctor.md', orUnseen, 'ask')
    expect(JSON.parse(await orUnseen('logstack doctor --json'))).toHaveProperty('checks')
    await guide('support-bundle.md')
    await guide('colleagues.md')
    await guide('sizing.md')
    expect(await host.run('stat', '--format=%a %U', '/root/support.tar.gz')).toBe('600 root\n')
    await guide('retention.md')
    await guide('audit.md')
  })

  test('memory.md', { timeout: limitMs }, async () => {
    await guide('memory.md')
    await host.allUp()
    const definition = readFileSync(join(host.root, 'etc/containers/systemd/logstack-search.container'), 'utf8')
    expect(definition).toBe(readFileSync(join(host.root, 'root/logstack/quadlet/logstack-search.container'), 'utf8'))
  })
})

describe.skipIf(reason)('memory', () => {
  const ceiling = async (): Promise<unknown> =>
    JSON.parse(await host.run('logstack', 'memory', 'show', '--json')).ceilingBytes
  const gibibyte = 1024 ** 3

  test('set by the command it reaches the engine and podman', { timeout: limitMs }, async () => {
    await shell('logstack memory set --heap 2g --limit 3gb')
    expect(await ceiling()).toBe(2 * gibibyte)
    expect(await shell("podman inspect --format '{{.Config.CreateCommand}}' logstack-search")).toContain('--memory 3gb')
  })

  test('set by hand, unquoted, in the installed definition it reaches the engine', { timeout: limitMs }, async () => {
    const file = '/opt/logstack/quadlet/logstack-search.container'
    await shell(`sed -i 's/^Environment="ES_JAVA_OPTS=.*/Environment=ES_JAVA_OPTS=-Xms3g -Xmx3g/' ${file}`)
    await shell('systemctl daemon-reload && systemctl restart logstack.service')
    await host.allUp()
    expect(await ceiling()).toBe(3 * gibibyte)
  })
})

describe.skipIf(reason)('systemctl --user', () => {
  test('hands over to the unit of the system', { timeout: limitMs }, async () => {
    const manager =
      'systemd-run --quiet --unit=user-manager -p Delegate=yes -E XDG_RUNTIME_DIR=/run/user/0 -E HOME=/root /usr/lib/systemd/systemd --user'
    const asUser =
      'export XDG_RUNTIME_DIR=/run/user/0; until systemctl --user show >/dev/null 2>&1; do sleep 0.5; done; systemctl --user'
    await shell(`mkdir -p -m 700 /run/user/0 && ${manager}`)
    await shell(`${asUser} restart logstack.service`)
    await host.allUp()
    await shell(`${asUser} stop logstack.service`)
    expect(await host.run('podman', 'ps', '--quiet')).toBe('')
    await host.run('systemctl', 'stop', 'user-manager')
  })
})

describe.skipIf(reason)('firewall', () => {
  // Without `flush ruleset`: it would take the rules of running containers too.
  const rules = `table inet filter {
  chain input { type filter hook input priority filter; policy drop; iif lo accept; ct state established,related accept; }
  chain forward { type filter hook forward priority filter; policy drop; }
}
`
  // A second network with another machine on it.
  const neighbour = `ip netns add other && ip link add v0 type veth peer name v1 && ip link set v1 netns other &&
    ip addr add 192.0.2.1/24 dev v0 && ip link set v0 up && ip -n other addr add 192.0.2.2/24 dev v1 && ip -n other link set v1 up`
  // What is dropped gets no answer, however long one waits; what is let in is connected by the kernel, however busy the part is.
  const fromOutside = (port: number): Promise<string> =>
    shell(
      `ip netns exec other curl -sk --connect-timeout 3 --max-time 60 -o /dev/null -w '%{http_code}' https://192.0.2.1:${port}/ || true`,
    )

  test('opens the ports of the stack where everything is dropped, and takes that back', {
    timeout: limitMs,
  }, async () => {
    await shell(
      `systemctl start logstack.service; printf '#!/usr/sbin/nft -f\\n%s' '${rules}' >/etc/nftables.conf; ${neighbour}`,
    )
    await host.allUp()
    await shell('systemctl enable --now nftables.service')
    expect(await fromOutside(9200)).toBe('000')
    await guide('firewall.md')
    expect(await fromOutside(9200)).toBe('000')
    expect(await shell('nft list ruleset')).toContain('dport 53 accept comment "logstack')
    await host.run('logstack', 'firewall', 'apply')
    expect([await fromOutside(9200), await fromOutside(5601)]).toEqual(['401', '200'])
  })
})

describe.skipIf(reason)('after a restart of the host', () => {
  test('all five parts, the agent and the rules of the firewall come back by themselves', {
    timeout: limitMs,
  }, async () => {
    const startedAtMs = performance.now()
    await host.reboot()
    const up = await host.allUp()
    const elapsed = Math.round((performance.now() - startedAtMs) / 1000)
    process.stdout.write(`restart of the host to five parts up: ${elapsed} s\n`)
    expect(up.trim().split('\n')).toHaveLength(5)
    expect(await host.run('systemctl', 'is-active', 'logstack.service', 'logstack-agent.service')).toBe(
      'active\nactive\n',
    )
    expect(await shell('nft list ruleset')).toContain('comment "logstack')
    await shell('for try in $(seq 90); do logstack verify && exit 0; sleep 2; done; exit 1')
  })
})

describe.skipIf(reason)('without a network, and removed', () => {
  test('offline.md and uninstall.md: removed with its data kept, installed from a bundle, it has its data', {
    timeout: limitMs,
  }, async () => {
    await ask('PUT', 'kept/_doc/1?refresh=true', '{"a":1}')
    await guide('offline.md')
    await shell('logstack uninstall --keep-data --yes')
    expect(await shell('systemctl list-unit-files logstack\\* --no-legend --no-pager || true')).toBe('')
    expect(existsSync(join(host.root, 'opt/logstack-install'))).toBe(false)
    expect(await shell('nft list ruleset')).not.toContain('comment "logstack')
    await shell(`podman rmi --force ${shippedBase} ${baseImage} && mkdir /root/unpacked`)
    await guide('offline.md', 'elsewhere')
    await host.allUp()
    expect(JSON.parse(await ask('GET', 'kept/_doc/1'))).toMatchObject({ _source: { a: 1 } })
    // The firewall still drops what it does not know: the containers get through, other machines do not.
    const rules = await shell('nft list ruleset')
    expect(rules).toContain('dport 53 accept comment "logstack')
    expect(rules).not.toContain('proto-dst')
  })

  test('uninstall.md: nothing of it is left, and nothing else is gone', { timeout: limitMs }, async () => {
    await host.run('podman', 'volume', 'create', 'of-someone-else')
    await guide('uninstall.md')
    const left = await shell('podman ps --all --quiet; podman secret ls --quiet; podman volume ls --quiet')
    expect(left).toBe('of-someone-else\n')
    expect(readdirSync(join(host.root, 'opt'))).toEqual([])
    // Of root's own folder the checkout stays, and what the guides made there.
    const mine = "find / -xdev -name '*logstack*' -not -path '/root/*' -not -path '/proc/*' -not -path '/tmp/*'"
    expect(await shell(mine)).toBe('')
    expect(await shell('systemctl list-unit-files logstack\\* --no-legend --no-pager || true')).toBe('')
  })
})
