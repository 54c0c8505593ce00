import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createAuthority, issueServerCertificate } from '@logstack/pki'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { whyNoHost } from './debian-host.ts'
import { runGuide } from './guide.ts'
import { bootInstalledHost, home, type OperatorHost } from './installed-host.ts'

// The tests follow one host's life: each goes on where the one before ended. Commands are those of docs/operator.
const reason = whyNoHost()
const testMs = 600_000
const waitMs = 240_000
const volumes = '/var/lib/containers/storage/volumes'
const certs = `${volumes}/logstack_certs/_data`
const ca = '/opt/logstack/Chapter 3 Files/certs/root-ca.crt'
const awkward = `quo'te" $HOME \`id\` \\ é€ end`
let host: OperatorHost

const run = (...argv: string[]): Promise<string> => host.run(...argv)
const shell = (script: string): Promise<string> => host.shell(script)

beforeAll(async () => {
  if (!reason) host = await bootInstalledHost('secrets')
}, 1_200_000)

afterAll(async () => {
  if (host) await host.down()
}, 120_000)

/** The status search answers to a login, with the password from standard input so that no shell changes it. */
async function login(username: string, password: string): Promise<string> {
  writeFileSync(join(host.root, 'root/login'), `user = "${`${username}:${password}`.replace(/[\\"]/g, '\\$&')}"\n`)
  return shell(
    `curl -sS -o /dev/null -w '%{http_code}' --cacert '${ca}' -K /root/login https://localhost:9200/_cluster/health`,
  )
}

const stored = async (name: string): Promise<string> =>
  (await run('logstack', 'vault', 'view', name)).replace(/\n$/, '')

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + waitMs
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain for: ${what}`)
    await delay(500)
  }
}

const startedAt = (part: string): Promise<string> =>
  run('podman', 'inspect', '--format', '{{.State.StartedAt}}', `logstack-${part}`)

const fingerprint = (file: string): Promise<string> =>
  run('openssl', 'x509', '-noout', '-fingerprint', '-sha256', '-in', file)

/** What a client that trusts only the stack's authority is shown, asking for a name; its fingerprint. */
const shown = (port: number, name: string, trusted = ca): Promise<string> =>
  shell(`openssl s_client -connect 127.0.0.1:${port} -servername ${name} -verify_return_error -CAfile '${trusted}' \
    </dev/null 2>/dev/null | openssl x509 -noout -fingerprint -sha256`)

test.skipIf(reason)(
  'no secret lies on the disk in plain text, and no part can read the key of another',
  { timeout: testMs },
  async () => {
    const lines = new Map<string, string>()
    for (const name of (await run('logstack', 'vault', 'list')).trim().split('\n')) {
      // A line of it is enough: of a private key one that holds the key itself, not the words around it, which every key has.
      const candidates = (await stored(name)).split('\n').filter((text) => !text.startsWith('-----'))
      const line = candidates.reduce((longest, one) => (one.length > longest.length ? one : longest), '')
      expect(line, name).not.toBe('')
      lines.set(name, line)
      writeFileSync(join(host.root, 'srv/pattern'), line)
      expect(await shell(`grep -rlF -f /srv/pattern /run/logstack`), name).toContain('/run/logstack/secrets/')
    }
    // All of them at once: the disk is large. Not what is mounted below: a container's view is its layers, which lie here, once more.
    writeFileSync(join(host.root, 'srv/pattern'), [...lines.values()].join('\n'))
    const onDisk = 'find /var/lib/containers /etc /opt /root /var/log /home -xdev -type f'
    expect(await shell(`LC_ALL=C ${onDisk} -exec grep -lF -f /srv/pattern {} + || true`)).toBe('')
    expect(await run('stat', '--file-system', '--format=%T', '/run/logstack/secrets/search')).toBe('tmpfs\n')
    const inside = 'cd /usr/share/logstack/config/certs && cat dashboard.key >/dev/null && cat search.key'
    await expect(run('podman', 'exec', 'logstack-dashboard', 'sh', '-c', inside)).rejects.toThrow('Permission denied')
    expect(await shell('podman inspect logstack-search logstack-dashboard --format "{{.Config.Env}}"')).not.toContain(
      await stored('elastic'),
    )
  },
)

test.skipIf(reason)(
  'a password with every awkward character is set, stored and given by the scripts',
  { timeout: testMs },
  async () => {
    const before = await stored('elastic')
    writeFileSync(join(host.root, 'root/new'), `${awkward}\n`, { mode: 0o600 })
    expect(await shell('scripts/password_management.sh -s elastic < /root/new')).toContain('a login with it works')
    expect(await login('elastic', awkward)).toBe('200')
    expect(await login('elastic', before)).toBe('401')
    expect(await run('sudo', '-i', 'ansible-vault', 'view', '/etc/logstack/vault/elastic')).toBe(`${awkward}\n`)
    const source = 'source /opt/logstack-install/scripts/extract_secrets.sh -q'
    expect(await shell(`set -u; ${source}; ${source}; printf %s "$elastic"`)).toBe(awkward)
    expect(await run('scripts/password_management.sh', '-l')).toMatch(/^elastic +in search +stored$/m)
    expect(JSON.parse(await run('logstack', 'verify', '--json'))).toMatchObject({ ok: true })
  },
)

test.skipIf(reason)(
  'elasticsearch-reset-password in the container ends in the store by itself',
  { timeout: testMs },
  async () => {
    const said = await run(
      'podman',
      'exec',
      'logstack-search',
      'elasticsearch-reset-password',
      '-u',
      'elastic',
      '--batch',
    )
    const password =
      /^Password for the \[elastic\] user successfully reset\.\nNew value: (\S+)\n$/.exec(said)?.[1] ?? ''
    expect(await login('elastic', password)).toBe('200')
    await until('the reset password in the vault', async () => (await stored('elastic')) === password)
    const left = `${volumes}/logstack_data_search/_data/handover`
    await until('the sealed file to go', async () => (await run('ls', '-A', left)) === '')
    const unknown = run('podman', 'exec', 'logstack-search', 'elasticsearch-reset-password', '-u', 'nobody', '-b')
    await expect(unknown).rejects.toThrow('user [nobody] does not exist')
  },
)

test.skipIf(reason)(
  'a reset restarts the part that logs in, and mends a store that holds another password',
  { timeout: testMs },
  async () => {
    const before = await startedAt('alerter')
    const old = await stored('logstack_alerter')
    expect(await run('logstack', 'password', 'reset', 'logstack_alerter')).toContain('alerter works with it')
    expect(await startedAt('alerter')).not.toBe(before)
    expect(await login('logstack_alerter', old)).toBe('401')
    expect(await login('logstack_alerter', await stored('logstack_alerter'))).toBe('200')
    // Request 5 of the interface: search knows the new one, the store cannot.
    const change = `curl -sS --cacert '${ca}' -u "elastic:$(logstack password show)" -X POST https://localhost:9200/_security/user/elastic/_password`
    expect(await shell(`${change} -H 'Content-Type: application/json' -d '{"password":"<NEW_PASSWORD>"}'`)).toBe('{}')
    expect(await login('elastic', await stored('elastic'))).toBe('401')
    await run('logstack', 'password', 'reset')
    expect(await login('elastic', await stored('elastic'))).toBe('200')
  },
)

test.skipIf(reason)('a new key of the vault leaves the secrets as they are', { timeout: testMs }, async () => {
  const before = await stored('elastic')
  const key = await run('cat', '/etc/logstack/vault-key')
  expect(await run('logstack', 'vault', 'rekey')).toContain('secrets have a new key')
  expect(await run('cat', '/etc/logstack/vault-key')).not.toBe(key)
  expect(await run('stat', '--format=%a %U', '/etc/logstack/vault-key')).toBe('600 root\n')
  expect(await run('sudo', '-i', 'ansible-vault', 'view', '/etc/logstack/vault/elastic')).toBe(`${before}\n`)
  expect(await run('podman', 'secret', 'inspect', '--showsecret', '--format', '{{.SecretData}}', 'elastic')).toBe(
    `${before}\n`,
  )
})

/** Puts a leaf of the stack's own authority in place that was issued `daysAgo`. */
async function age(part: string, daysAgo: number): Promise<void> {
  const pki = join(host.root, 'etc/logstack/pki')
  const authority = {
    cert: readFileSync(`${pki}/root-ca.crt`, 'utf8'),
    key: readFileSync(`${pki}/root-ca.key`, 'utf8'),
  }
  const now = new Date(Date.now() - daysAgo * 86_400_000)
  const leaf = await issueServerCertificate(authority, { commonName: `logstack-${part}`, hosts: ['secrets'], now })
  // Written into the files that are there, so that their owners stay.
  writeFileSync(join(host.root, certs, `${part}.key`), leaf.key)
  writeFileSync(join(host.root, certs, `${part}.crt`), leaf.cert)
}

test.skipIf(reason)(
  'the daily look renews what ends soon, without an interruption and under the same authority',
  { timeout: testMs },
  async () => {
    const authority = await fingerprint(ca)
    const before = await startedAt('search')
    await age('search', 2 * 365 - 20)
    expect(await run('logstack', 'certs', 'show')).toMatch(/^search .* \(\d+ days\) +WRONG: it expires on /m)
    await run('systemctl', 'start', 'logstack-certs.service')
    expect(await shown(9200, 'localhost')).toBe(await fingerprint(`${certs}/search.crt`))
    expect(await run('logstack', 'certs', 'show')).not.toContain('WRONG')
    expect(await startedAt('search')).toBe(before)
    expect(await fingerprint(ca)).toBe(authority)
    expect(await run('systemctl', 'is-active', 'logstack-certs.timer', 'logstack-password.path')).toBe(
      'active\nactive\n',
    )
  },
)

test.skipIf(reason)(
  'expired certificates are renewed by logstack-ca, and by the start of a part',
  { timeout: testMs },
  async () => {
    for (const part of ['search', 'agent-server']) await age(part, 2 * 366 + 1)
    // What is shown then is expired too: nothing can be asked over TLS.
    await run('podman', 'kill', '--signal', 'HUP', 'logstack-search', 'logstack-agent-server')
    expect(await run('scripts/logstack-ca')).toMatch(/^renewed the certificate of search, .*: it expired on /m)
    expect(await shown(9200, 'localhost')).toBe(await fingerprint(`${certs}/search.crt`))
    expect(await shown(8220, 'localhost')).toBe(await fingerprint(`${certs}/agent-server.crt`))
    expect(await run('logstack-ca')).toBe('all certificates are right, nothing to do\n')
    await age('dashboard', 2 * 366 + 1)
    await run('systemctl', 'restart', 'logstack-dashboard.service')
    expect(await shown(5601, 'localhost')).toBe(await fingerprint(`${certs}/dashboard.crt`))
    await host.allUp()
    expect(JSON.parse(await run('logstack', 'verify', '--json'))).toMatchObject({ ok: true })
  },
)

test.skipIf(reason)(
  'a certificate of one’s own is shown to those who ask for its name, and to nobody else',
  { timeout: testMs },
  async () => {
    const name = 'logs.example.org'
    const foreign = await createAuthority({ commonName: 'Example CA' })
    const own = await issueServerCertificate(foreign, { commonName: name })
    const other = await issueServerCertificate(foreign, { commonName: 'other.example.org' })
    for (const [file, text] of Object.entries({
      'own.pem': own.cert + foreign.cert,
      'own.key': own.key,
      'other.key': other.key,
      'foreign.crt': foreign.cert,
    }))
      writeFileSync(join(host.root, 'root', file), text, { mode: 0o600 })
    const give = (...words: string[]): Promise<string> =>
      run('logstack', 'certs', 'import', '--cert', '/root/own.pem', ...words)
    await expect(give('--key', '/root/other.key')).rejects.toThrow('the key does not belong to the certificate')
    await expect(give('--key', '/root/own.key', '--name', 'x.test')).rejects.toThrow('this host is called x.test')
    await expect(give('--key', '/root/own.key', '--name', name, '--part', 'agent-server')).rejects.toThrow(
      'trust the stack',
    )
    expect(existsSync(join(host.root, certs, 'dashboard.imported.crt'))).toBe(false)
    expect(await give('--key', '/root/own.key', '--name', name)).toContain(`clients that ask for ${name}`)
    expect(await shown(5601, name, '/root/foreign.crt')).toBe(await fingerprint('/root/own.pem'))
    expect(await shown(5601, 'localhost')).toBe(await fingerprint(`${certs}/dashboard.crt`))
    expect(await run('logstack', 'certs', 'show')).toMatch(/^dashboard \(imported\) .* ok$/m)
    await run('logstack', 'certs', 'import', '--remove')
    expect(await shown(5601, name)).toBe(await fingerprint(`${certs}/dashboard.crt`))
  },
)

test.skipIf(reason)('the commands of the guide work as they stand there', { timeout: testMs }, async () => {
  await runGuide('passwords.md', shell)
  expect(await login('elastic', await stored('elastic'))).toBe('200')
  const foreign = await createAuthority({ commonName: 'Example CA' })
  const own = await issueServerCertificate(foreign, { commonName: 'logs.example.org' })
  writeFileSync(join(host.root, home, 'fullchain.pem'), own.cert + foreign.cert)
  writeFileSync(join(host.root, home, 'privkey.pem'), own.key, { mode: 0o600 })
  await runGuide('certificates.md', shell)
  await host.allUp()
  // The guide gave the host another address.
  expect(await run('openssl', 'x509', '-noout', '-ext', 'subjectAltName', '-in', `${certs}/search.crt`)).toContain(
    'IP Address:192.0.2.10',
  )
})
