import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthority, issueServerCertificate } from '@logstack/pki'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, failedLogin } from '../stack.ts'
import { whyNoHost } from './debian-host.ts'
import { bootOperatorHost, home, installArgv, type OperatorHost } from './installed-host.ts'

// An installation that uses a cluster elsewhere instead of a search of its own. The cluster is a search that the stack did not install, under an address and an
// authority of its own; what differs with OpenSearch is in opensearch.e2e.ts. The tests follow one host's life.
const reason = whyNoHost()
const address = '198.51.100.1'
const port = 9201
const folder = '/root/cluster'
const password = 'password-of-another-cluster'
const arrivalLimitMs = 120_000
const others = ['endpoint-manager', 'dashboard', 'alerter', 'agent-server'] as const
let host: OperatorHost

beforeAll(async () => {
  if (reason) return
  host = await bootOperatorHost('cluster')
  await startCluster()
}, 900_000)

afterAll(async () => {
  if (!reason) await host.down()
}, 120_000)

/** What doctor says and its exit code; again while a busy machine keeps a check from its end. */
async function doctorSays(): Promise<string> {
  return eventually('a look at everything', arrivalLimitMs, async () => {
    const said = await host.shell('logstack doctor 2>&1; echo "exit $?"')
    return /^unknown .*no answer/m.test(said) ? undefined : said
  })
}

async function startCluster(): Promise<void> {
  // An address of the host that is not its loopback, which containers do not reach.
  await host.shell(
    `ip link add cluster0 type veth peer name cluster1 && ip address add ${address}/24 dev cluster0 && ip link set cluster0 up && ip link set cluster1 up`,
  )
  const authority = await createAuthority({ commonName: 'authority of another cluster' })
  const leaf = await issueServerCertificate(authority, { commonName: 'another-cluster', hosts: [address] })
  const files: Readonly<Record<string, string>> = {
    'certs/root-ca.crt': authority.cert,
    'certs/search.crt': leaf.cert,
    'certs/search.key': leaf.key,
    'secrets/elastic': `${password}\n`,
    password: `${password}\n`,
  }
  for (const name of ['certs', 'secrets', 'data']) mkdirSync(join(host.root, folder, name), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(host.root, folder, name), text, { mode: 0o600 })
  const variables = {
    LOGSTACK_LISTEN: `${address}:${port}`,
    LOGSTACK_DATA_DIR: `${folder}/data`,
    LOGSTACK_CERTS_DIR: `${folder}/certs`,
    LOGSTACK_SECRETS_DIR: `${folder}/secrets`,
    LOGSTACK_READY_FILE: `${folder}/ready`,
  }
  const env = Object.entries(variables).map(([name, value]) => `--setenv=${name}=${value}`)
  await host.run('systemd-run', '--unit=another-cluster', ...env, 'node', join(home, 'dist/search.mjs'))
  await eventually('the cluster', arrivalLimitMs, async () => (await ask('/').catch(() => undefined)) && true)
}

/** What the cluster answers its administrator. */
async function ask(path: string, body?: unknown): Promise<unknown> {
  const given = body === undefined ? '' : `-H 'content-type: application/json' -d '${JSON.stringify(body)}'`
  const curl = `curl -sS --fail --cacert ${folder}/certs/root-ca.crt -u elastic:${password}`
  return JSON.parse(await host.shell(`${curl} 'https://${address}:${port}${path}' ${given}`))
}

test.skipIf(reason)(
  'installs four parts and no search, and sets the cluster up',
  async () => {
    const cluster = ['--search-url', `https://${address}:${port}`, '--search-ca', `${folder}/certs/root-ca.crt`]
    const administrator = ['--admin-user', 'elastic', '--search-password-file', `${folder}/password`]
    await host.run(...installArgv, ...cluster, ...administrator)
    const names = await host.shell("podman ps --format '{{.Names}}' | sort")
    expect(names.trim().split('\n')).toEqual([...others].sort().map((part) => `logstack-${part}`))
    expect((await host.shell('systemctl is-enabled logstack-search.service || true')).trim()).toBe('masked')
    expect(await ask('/_index_template/logstack-*?filter_path=*.name')).toMatchObject({
      index_templates: expect.arrayContaining([{ name: 'logstack-winlogbeat' }]),
    })
  },
  900_000,
)

test.skipIf(reason)(
  'status, verify and doctor know of the cluster',
  async () => {
    const status = await host.shell('logstack status')
    expect(status).toContain(`https://${address}:${port}`)
    expect(JSON.parse(await host.run('logstack', 'verify', '--json'))).toMatchObject({ ok: true })
    expect(await doctorSays()).toMatch(/exit 0$/m)
  },
  600_000,
)

test.skipIf(reason)(
  'a line that is sent to the host is found in the cluster, also after the host restarted',
  async () => {
    const arrives = async (name: string): Promise<void> => {
      const line = failedLogin(name, 4242).trimEnd()
      await eventually('the syslog port', arrivalLimitMs, () =>
        host.shell(`echo '${line}' >/dev/tcp/127.0.0.1/514 && echo sent`).catch(() => undefined),
      )
      const query = { query: { multi_match: { query: name, fields: ['host.name', 'host.hostname'], lenient: true } } }
      await eventually(`the line of ${name}`, arrivalLimitMs, async () => {
        const { count } = (await ask('/logs-*/_count', query)) as { count: number }
        return count === 1 ? true : undefined
      })
    }
    await arrives('before-restart')
    await host.run('systemctl', 'restart', 'logstack.service')
    // The port is podman's before it is the part's, and what is sent to it meanwhile reaches nobody.
    await eventually('the stack', arrivalLimitMs, () => host.run('logstack', 'verify').catch(() => undefined))
    await arrives('after-restart')
  },
  600_000,
)

test.skipIf(reason)(
  'doctor finds a search that could start beside the cluster, and masks it again',
  async () => {
    await host.run('systemctl', 'unmask', 'logstack-search.service')
    await host.run('systemctl', 'daemon-reload')
    expect(await doctorSays()).toMatch(/not masked[\s\S]*exit 6$/m)
    await host.run('logstack', 'doctor', '--repair', '--yes')
    expect((await host.shell('systemctl is-enabled logstack-search.service || true')).trim()).toBe('masked')
    expect(await doctorSays()).toMatch(/exit 0$/m)
  },
  600_000,
)

test.skipIf(reason)(
  'goes back to a search of its own, with the password of before',
  async () => {
    await host.run(...installArgv, '--search-url', 'own')
    await host.allUp()
    expect(await host.shell('logstack verify 2>&1; echo "exit $?"')).toMatch(/exit 0$/m)
  },
  900_000,
)
