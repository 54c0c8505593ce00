import { execFile } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath, launchBrowser, logIn, openPage, screenshot } from './browser.ts'
import { eventually, failedLogin, type Stack, sendJson, startStack } from './stack.ts'

// The whole stack as a user starts it, on this machine's own logs: an event's way from a log file to an alert, and each part's sudden death.

const folder = mkdtempSync(join(tmpdir(), 'logstack-logs-'))
const authLog = join(folder, 'auth.log')
const appLog = join(folder, 'app.log')
const parts = ['search', 'endpoint-manager', 'dashboard', 'alerter', 'agent-server']
const received: unknown[] = []
const webhook = createServer((incoming: IncomingMessage, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')))
    outgoing.end('{}')
  })
})

const hasChromium = existsSync(chromiumPath)

let stack: Stack

beforeAll(async () => {
  writeFileSync(authLog, '')
  writeFileSync(appLog, '')
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve))
  const { port } = webhook.address() as AddressInfo
  stack = await startStack({
    config: {
      agent: `extra_log_paths: [${JSON.stringify(`${folder}/*.log`)}]`,
      alerter: `webhook_url: http://127.0.0.1:${port}/alerts`,
    },
  })
})

afterAll(async () => {
  await stack?.down()
  webhook.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Hit {
  readonly _id: string
  readonly _source: Record<string, unknown>
}

async function hits(index: string, query: unknown, size = 10): Promise<Hit[]> {
  const answer = await stack.search('POST', `/${index}/_search`, { query, size, sort: [{ '@timestamp': 'desc' }] })
  expect(answer.status).toBe(200)
  return (answer.body as { hits: { hits: Hit[] } }).hits.hits
}

/** The process of a part, from the supervisor's own listing. */
async function pidOf(part: string): Promise<number> {
  const { stdout } = await stack.logstack('status', '--json')
  const listed = JSON.parse(stdout) as { name: string; pid: number }[]
  const pid = listed.find(({ name }) => name === `logstack-${part}`)?.pid
  if (!pid) throw new Error(`no process of ${part}: ${stdout}`)
  return pid
}

describe('a stack that was started with one command', () => {
  test('lists its five parts as specified', async () => {
    const { stdout, code } = await stack.logstack('status')
    expect(code).toBe(0)
    for (const part of parts) {
      const health = part === 'search' || part === 'dashboard' ? ' \\(healthy\\)' : ''
      expect(stdout).toMatch(new RegExp(`^logstack-${part} Up [A-Za-z0-9 ]+${health}$`, 'm'))
    }
  })

  test('verifies, with markers, API, login and dashboards', async () => {
    const { stdout, code } = await stack.logstack('verify')
    expect(code, stdout).toBe(0)
    for (const marker of ['FLEET_SETUP_FINISHED', 'dashboards/search/INSTALLED', 'dashboards/endpoint/INSTALLED']) {
      const found = statSync(join(stack.dataDir, 'opt/logstack', marker))
      expect(found.size).toBe(0)
      expect(found.mode & 0o777).toBe(0o644)
    }
  })

  test('keeps its secrets in vault files that only their owner reads', async () => {
    const file = join(stack.dataDir, 'etc/logstack/vault/elastic')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toMatch(/^\$ANSIBLE_VAULT;1\.1;AES256\n/)
    const processes = await promisify(execFile)('ps', ['-eo', 'args'])
    expect(processes.stdout).not.toContain(stack.password)
  })

  test('prints the one line that adds a host, which downloads only what it names', async () => {
    const { stdout, code } = await stack.logstack('agent', 'command', '--hours', '1')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^curl [^\n]+ && sudo sh logstack-agent\.sh --token [\w=+/-]{20,}\n$/)
    // All of it but the installation, which is for a host with systemd.
    const [download = ''] = stdout.split(' && sudo ')
    const { stdout: checked } = await promisify(execFile)('sh', ['-c', download], { cwd: folder })
    expect(checked).toBe('logstack-agent.sh: OK\n')
    expect((await stack.logstack('agent', 'list')).stdout).toMatch(new RegExp(`^${hostname()} +online `, 'm'))
    expect((await stack.logstack('agent', 'command', '--policy', 'nobody-made-it')).code).not.toBe(0)
  })
})

describe('policies of agents', () => {
  test('are made, given to hosts, and deleted when none has them', async () => {
    const agent = async (...args: string[]) => stack.logstack('agent', ...args)
    expect((await agent('policy', 'create', 'web', '--name', 'Web servers')).code).toBe(0)
    expect((await agent('policy', 'assign', 'web', hostname())).code).toBe(0)
    expect((await agent('policy', 'list')).stdout).toMatch(/^web +revision 1 +1 host +Web servers$/m)
    await eventually('the agent has it', 30_000, async () => {
      const [listed] = JSON.parse((await agent('list', '--json')).stdout) as {
        policy_id: string
        policy_revision: number
      }[]
      return listed?.policy_id === 'web' && listed.policy_revision === 1 ? true : undefined
    })
    expect((await agent('policy', 'delete', 'web')).code).not.toBe(0)
    expect((await agent('policy', 'assign', 'default', hostname())).code).toBe(0)
    expect((await agent('policy', 'delete', 'web')).code).toBe(0)
    expect((await agent('policy', 'assign', 'default', 'nobody')).code).toBe(2)
    expect((await agent('upgrade')).code).toBe(2)
  })

  test.skipIf(!hasChromium)('are made and given to a host on the page Agents (needs Chromium)', async () => {
    const browser = await launchBrowser()
    try {
      const watched = await openPage(browser)
      await logIn(watched, stack.dashboardUrl, { username: 'elastic', password: stack.password })
      const { page } = watched
      await page.goto(`${stack.dashboardUrl}/app/agents/policies`)
      await page.getByLabel('Name').fill('Quiet hosts')
      await page.getByRole('button', { name: 'Create policy' }).click()
      await page.getByTestId('policy-row').filter({ hasText: 'Quiet hosts' }).waitFor()
      await page.getByRole('link', { name: 'All agents' }).click()
      await page.getByRole('button', { name: `What ${hostname()} can be told to do` }).click()
      await page.getByLabel('Policy').selectOption({ label: 'Quiet hosts' })
      await eventually('the host has it', 30_000, async () => {
        const { stdout } = await stack.logstack('agent', 'policy', 'list')
        return /1 host +Quiet hosts$/m.test(stdout) ? true : undefined
      })
      await editPolicy(page)
      await page.getByRole('link', { name: 'All policies' }).click()
      await page.getByRole('link', { name: 'All agents' }).click()
      await page.getByRole('button', { name: `What ${hostname()} can be told to do` }).click()
      await page.getByLabel('Policy').selectOption({ label: 'Default policy' })
      await eventually('the host has the other one again', 30_000, async () => {
        const { stdout } = await stack.logstack('agent', 'policy', 'list')
        return /0 hosts +Quiet hosts$/m.test(stdout) ? true : undefined
      })
      await page.goto(`${stack.dashboardUrl}/app/agents/policies`)
      page.on('dialog', (dialog) => void dialog.accept())
      await page.getByRole('button', { name: 'Delete the policy Quiet hosts' }).click()
      await page.getByTestId('policy-row').filter({ hasText: 'Quiet hosts' }).waitFor({ state: 'detached' })
      expect(watched.problems).toEqual([])
    } finally {
      await browser.close()
    }
  })
})

/** Switches the metrics off, adds files to be read, and sees what comes of it on the host. */
async function editPolicy(page: Page): Promise<void> {
  const shop = join(folder, 'shop.txt')
  writeFileSync(shop, 'a teapot was sold\n')
  await page.goto(`${stack.dashboardUrl}/app/agents/policies`)
  await page.getByRole('link', { name: 'Quiet hosts' }).click()
  await page.getByText('Revision 1.').waitFor()
  await page.getByLabel('Host metrics', { exact: true }).uncheck({ force: true })
  const more = page.locator('.panel', { hasText: 'Collect more files' })
  await more.getByLabel('Files, one pattern a line').fill(shop)
  await more.getByLabel('Dataset').fill('shop.orders')
  await more.getByRole('button', { name: 'Add files' }).click()
  await page.getByRole('button', { name: 'Streams of Log files' }).click()
  await page.getByTestId('stream-file-shop.orders').waitFor()
  await screenshot(page, 'policy')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as revision 2.').waitFor()
  await eventually('the line of the added file is in search', 60_000, async () => {
    const { body } = await stack.search('POST', '/logs-shop.orders-default/_search?ignore_unavailable=true', {})
    return (body as { hits: { hits: unknown[] } }).hits.hits[0]
  })
  await page.getByRole('tab', { name: 'JSON' }).click()
  await page.getByText('"journald"').first().waitFor()
}

describe('the API of search', () => {
  test('answers the requests of the interface', async () => {
    const root = (await stack.search('GET', '/')).body as { name: string; tagline: string; version: { number: string } }
    expect(root).toMatchObject({ name: 'logstack-search', tagline: 'You Know, for Search' })
    expect(root.version.number).toMatch(/^8\.19\./)
    const health = await stack.search('GET', '/_cluster/health?filter_path=status,*_shards')
    expect(health.body).toMatchObject({ status: 'green', unassigned_shards: 0 })
    const refused = await sendJson(`${stack.searchUrl}/_cluster/health`, { ca: stack.ca, user: 'elastic:wrong' })
    expect(refused).toMatchObject({
      status: 401,
      body: {
        error: {
          type: 'security_exception',
          reason: 'unable to authenticate user [elastic] for REST request [/_cluster/health]',
        },
      },
    })
  })
})

describe('an event', () => {
  test('is in search a moment after it was written to a log file, decoded', async () => {
    appendFileSync(authLog, failedLogin('web01', 40_001))
    const hit = await eventually(
      'the failed login arrives',
      120_000,
      async () =>
        (
          await hits('logs-*', {
            bool: { filter: [{ term: { 'source.ip': '203.0.113.9' } }, { term: { 'log.file.path': authLog } }] },
          })
        )[0],
    )
    expect(hit._source).toMatchObject({
      user: { name: 'root' },
      event: { category: ['authentication'], outcome: 'failure' },
    })
  })

  test('that repeats raises the shipped alert, once, and the webhook gets it', async () => {
    for (let at = 0; at < 8; at += 1) appendFileSync(authLog, failedLogin('web01', 40_100 + at))
    const alerts = await eventually('the alert is written', 120_000, async () => {
      const found = await hits('.logstack-alerts', { match_all: {} })
      return found.length > 0 ? found : undefined
    })
    expect(alerts).toHaveLength(1)
    await eventually('the webhook gets it', 120_000, async () => received[0])
    expect(received[0]).toMatchObject({ rule: { id: 'repeated-failed-logins' }, event: { kind: 'alert' } })
  })

  test('of this host itself arrives too: metrics', async () => {
    const hit = await eventually(
      'a metric arrives',
      120_000,
      async () => (await hits('metrics-*', { exists: { field: 'system.memory.total' } }))[0],
    )
    expect(JSON.stringify(hit._source)).toContain(hostname().split('.')[0])
  })
})

describe('advisories', () => {
  test.runIf(existsSync('/var/lib/dpkg/status'))('name what of this host is vulnerable', async () => {
    await eventually('the packages of this host arrive', 120_000, async () => {
      const filter = [{ term: { 'logstack.inventory.kind': 'package' } }, { term: { 'package.name': 'dpkg' } }]
      return (await hits('endpoint-inventory', { bool: { filter } }))[0]
    })
    const release = /^VERSION_ID="?(\d+)/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    const file = join(folder, 'DEBIAN-CVE-2026-99999.json')
    const events = [{ introduced: '0' }, { fixed: '99:1-1' }]
    const affected = [
      { package: { ecosystem: `Debian:${release}`, name: 'dpkg' }, ranges: [{ type: 'ECOSYSTEM', events }] },
    ]
    writeFileSync(file, JSON.stringify({ id: 'DEBIAN-CVE-2026-99999', details: 'A fault.', affected }))
    expect(await stack.logstack('advisories', 'import', file)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`debian:${release}: 1 advisory\n`),
    })
    const found = await eventually('the vulnerability is found', 180_000, async () => {
      return (await hits('endpoint-vulnerabilities', { match_all: {} }))[0]
    })
    expect(found._source).toMatchObject({
      package: { name: 'dpkg', fixed_version: '99:1-1' },
      vulnerability: { id: 'CVE-2026-99999', severity: 'Unknown' },
    })
  })
})

describe('sudden death', () => {
  test.each(parts)('%s comes back by itself, and no event is lost meanwhile', async (part) => {
    const before = await pidOf(part)
    const mark = `${part}-${Date.now()}`
    appendFileSync(appLog, `${mark} before\n`)
    process.kill(before, 'SIGKILL')
    for (let at = 0; at < 20; at += 1) appendFileSync(appLog, `${mark} during ${at}\n`)
    await eventually(`${part} is back`, 60_000, async () => ((await pidOf(part)) === before ? undefined : true))
    await eventually('verify is green again', 60_000, async () =>
      (await stack.logstack('verify')).code === 0 ? true : undefined,
    )
    appendFileSync(appLog, `${mark} after\n`)
    const found = await eventually('all lines arrive', 60_000, async () => {
      const lines = await hits('logs-*', { match_phrase: { message: mark } }, 100)
      return lines.length >= 22 ? lines : undefined
    })
    expect(new Set(found.map(({ _source }) => _source['message'])).size).toBe(22)
    expect(found).toHaveLength(22)
  })
})

describe('retention', () => {
  const shown = async () => (await stack.logstack('retention', 'show')).stdout

  test('is shown, set and carried out by hand, also while the dashboard is down', async () => {
    expect((await stack.logstack('stop', 'dashboard')).code).toBe(0)
    expect(await shown()).toContain('events are kept          90d')
    const set = await stack.logstack('retention', 'set', '--max-age', '400d', '--index', 'e2e-kept-*')
    expect([set.code, set.stdout]).toEqual([0, expect.stringMatching(/^ {2}e2e-kept-\* +400d$/m)])
    expect((await stack.logstack('retention', 'set', '--max-age', 'soon')).code).toBe(2)
    const day = 86_400_000
    for (const [index, ages] of [
      ['e2e-kept-old', [40]],
      ['e2e-kept-both', [40, 1]],
    ] as const)
      for (const age of ages) {
        const body = { '@timestamp': new Date(Date.now() - age * day).toISOString() }
        expect((await stack.search('POST', `/${index}/_doc?refresh=true`, body)).status).toBe(201)
      }
    const purge = (...more: string[]) =>
      stack.logstack('retention', 'purge', '--older-than', '30d', '--index', 'e2e-kept-*', ...more)
    const total = { size: 0, track_total_hits: true, sort: ['@timestamp'] }
    const count = async () =>
      ((await stack.search('POST', '/e2e-kept-*/_search', total)).body as { hits: { total: { value: number } } }).hits
        .total.value
    expect(await count()).toBe(3)
    expect((await purge('--dry-run')).stdout).toContain('would delete 2 events, 1 whole index')
    expect(await count()).toBe(3)
    expect((await purge()).stdout).toContain('deleted 2 events, 1 whole index')
    expect(await count()).toBe(1)
    expect((await purge()).stdout).toContain('no event is older than 30d')
    expect((await stack.logstack('retention', 'set', '--max-age', 'default', '--index', 'e2e-kept-*')).code).toBe(0)
    expect(await shown()).not.toContain('e2e-kept')
    expect((await stack.logstack('start', 'dashboard')).code).toBe(0)
  })
})

describe('stop and start', () => {
  test('data is still there after down and up', async () => {
    expect((await stack.logstack('down')).code).toBe(0)
    const up = await stack.logstack('up', '--detach', '--port-offset', String(stack.portOffset))
    expect(up.code, up.stdout + up.stderr).toBe(0)
    const [alert] = await hits('.logstack-alerts', { match_all: {} })
    expect(alert).toBeDefined()
  })

  test('a part that was stopped is started by up, and what runs is left alone', async () => {
    const before = await pidOf('search')
    expect((await stack.logstack('stop', 'alerter')).code).toBe(0)
    const up = await stack.logstack('up', '--detach')
    expect(up.code, up.stdout + up.stderr).toBe(0)
    expect((await stack.logstack('status')).stdout).toMatch(/^logstack-alerter Up /m)
    expect(await pidOf('search')).toBe(before)
    expect((await stack.logstack('up', '--detach')).stderr).toContain('already running; nothing was changed')
  })

  test('a part that does not start keeps no other from running, and up starts it alone when it is mended', async () => {
    const file = join(stack.dataDir, 'opt/logstack/config/alerter.yml')
    const settings = readFileSync(file, 'utf8')
    writeFileSync(file, `${settings}\nno_such_key: 1\n`)
    expect((await stack.logstack('down')).code).toBe(0)
    const failed = await stack.logstack('up', '--detach', '--port-offset', String(stack.portOffset))
    expect(failed.code).toBe(6)
    expect(failed.stderr).toMatch(
      /logstack: logstack-alerter does not start: .*no_such_key.*\n {2}fix: .*logstack doctor/,
    )
    expect(failed.stderr).toContain('left running: search, endpoint-manager, dashboard, agent-server')
    const before = await pidOf('search')
    // Not detached: what runs is left alone all the same.
    expect((await stack.logstack('up')).stderr).toContain('left running: search')
    writeFileSync(file, settings)
    expect((await stack.logstack('up', '--detach')).code).toBe(0)
    expect((await stack.logstack('status')).stdout).toMatch(/^logstack-alerter Up /m)
    expect(await pidOf('search')).toBe(before)
  })

  test('a second stack on the same ports is refused in one sentence, with the fix', async () => {
    const { code, stdout, stderr } = await stack.logstack(
      'up',
      '--detach',
      '--data',
      join(folder, 'second'),
      '--port-offset',
      String(stack.portOffset),
    )
    expect(code).not.toBe(0)
    expect(stdout + stderr).toMatch(/port \d+, which logstack-\S+ needs, is used by .*\n\s*fix: /)
  })
})
