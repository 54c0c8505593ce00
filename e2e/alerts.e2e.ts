import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, logIn, openPage, screenshot, type WatchedPage } from './browser.ts'
import { eventually, hasProgram, type Stack, startStack } from './stack.ts'

// What people do with alerts, on one stack: they bring their rules, keep a secret, try a channel and a rule, and look after what comes in. The
// tests go on where the one before ended.

const skip = (await hasProgram('chromium')) ? false : 'chromium is not installed'
const waitMs = 120_000
const checkout = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'logstack-alerts-'))
const received: { path: string; body: unknown }[] = []
const receiver = createServer((incoming: IncomingMessage, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () => {
    received.push({ path: incoming.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString('utf8')) })
    outgoing.end('ok')
  })
})

let stack: Stack
let browser: Browser
let watched: WatchedPage

beforeAll(async () => {
  if (skip) return
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  stack = await startStack()
  browser = await launchBrowser()
  watched = await openPage(browser)
  await logIn(watched, stack.dashboardUrl, { username: 'elastic', password: stack.password })
})

afterAll(async () => {
  await browser?.close()
  await stack?.down()
  receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

const sigmaRule = `title: Teapot opened
id: 11111111-2222-4333-8444-555555555555
level: high
tags: [attack.execution, attack.t1059.004]
logsource: { product: linux }
detection:
  selection: { message|contains: teapot opened }
  condition: selection
`
const elastAlertRule = `import: [shared/base.inc, shared/part.yml]
name: Kettle boils
es_host: elasticsearch.example.org
es_port: 9200
type: any
filter:
  - term: { event.action: boil }
realert: { minutes: 0 }
`

function writeRules(): string {
  const dir = join(folder, 'rules')
  mkdirSync(join(dir, 'shared'), { recursive: true })
  mkdirSync(join(dir, '.git'))
  writeFileSync(join(dir, 'teapot.yml'), sigmaRule)
  writeFileSync(join(dir, 'kettle.yaml'), elastAlertRule)
  writeFileSync(join(dir, 'shared/base.inc'), 'index: kitchen-*\npriority: 4\n')
  writeFileSync(join(dir, 'shared/part.yml'), 'alert: slack\n')
  writeFileSync(join(dir, '.git/not-a-rule.yml'), 'ref: x\n')
  writeFileSync(join(dir, 'broken.yml'), 'name: broken\ntype: [any\n')
  writeFileSync(join(dir, 'twilio.yml'), 'name: t\ntype: any\nindex: x\nalert: twilio\n')
  return dir
}

/** A command that is given a secret on its standard input. */
async function withInput(input: string, ...args: string[]): Promise<string> {
  return await new Promise((resolve, reject) => {
    const env = { ...process.env, LOGSTACK_DATA: stack.dataDir }
    const child = execFile(join(checkout, 'logstack'), args, { env, timeout: waitMs }, (failed, stdout, stderr) =>
      failed ? reject(new Error(`${args.join(' ')}: ${stderr}`, { cause: failed })) : resolve(stdout),
    )
    child.stdin?.end(input)
  })
}

async function sources(index: string, query: unknown): Promise<Record<string, unknown>[]> {
  const { body } = await stack.search('POST', `/${index}/_search`, { size: 100, query })
  return (body as { hits: { hits: { _source: Record<string, unknown> }[] } }).hits.hits.map(({ _source }) => _source)
}

const ruleState = async (id: string): Promise<unknown> =>
  (await sources('.logstack-alerts-rules', { ids: { values: [id] } }))[0]?.['state']

async function addEvent(document: Record<string, unknown>): Promise<void> {
  const event = { '@timestamp': new Date().toISOString(), host: { name: 'galley' }, ...document }
  expect((await stack.search('POST', '/kitchen-1/_doc?refresh=true', event)).status).toBe(201)
}

const goTo = (page: Page, path: string): Promise<unknown> => page.goto(`${stack.dashboardUrl}/app/${path}`)

test.skipIf(skip)(
  `a channel gets its secret from the vault, and a test alert says what came back${skip ? ` (${skip})` : ''}`,
  async () => {
    const { port } = receiver.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/hook-that-nobody-may-see`
    expect(await withInput(`${url}\n`, 'vault', 'set', 'alerter.slack')).toContain('alerter.slack is in the vault')
    appendFileSync(
      join(stack.dataDir, 'opt/logstack/rules/channels.yml'),
      '\nslack_webhook_url: secret:alerter.slack\n',
    )
    const { stdout, stderr, code } = await stack.logstack('alerts', 'test', 'slack')
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toContain('sent through slack')
    expect(received).toHaveLength(1)
    expect(received[0]?.path).toBe('/hook-that-nobody-may-see')
    const bad = await stack.logstack('alerts', 'test', 'email')
    expect(bad.code).not.toBe(0)
    expect(bad.stderr).toMatch(/email: \[email\]/)
  },
)

test.skipIf(skip)('a folder of rules is taken in with what they import, and what cannot run is named', async () => {
  const rules = writeRules()
  const { stdout, stderr, code } = await stack.logstack('rules', 'import', rules)
  expect(code, stderr).toBe(2)
  expect(stdout).toMatch(/^not usable: broken\.yml: \d+:\d+: /m)
  expect(stdout).toMatch(/^not usable: twilio\.yml: \d+:\d+: unknown channel \[twilio\]/m)
  expect(stdout).toMatch(/^not used: kettle\.yaml: es_host, es_port: /m)
  expect(stdout).toContain('2 files with 2 rules taken in, 2 not usable')
  expect(stdout).not.toContain('not-a-rule')
  const usable = await stack.logstack('rules', 'import', '--dry-run', join(rules, 'teapot.yml'))
  expect(usable.code, usable.stdout).toBe(0)
  expect((await stack.logstack('rules', 'import', '--dry-run', join(rules, 'twilio.yml'))).code).toBe(2)
  const cloud = join(rules, 'cloud.yml')
  writeFileSync(
    cloud,
    readFileSync(join(rules, 'teapot.yml'), 'utf8').replace(/^logsource:.*$/m, 'logsource: {product: aws}'),
  )
  const elsewhere = await stack.logstack('rules', 'import', '--dry-run', cloud)
  expect(elsewhere.code, elsewhere.stdout).toBe(0)
  expect(elsewhere.stdout).toContain('no such log source here: product aws: 1 rule')
  await eventually('the Sigma rule runs', waitMs, async () =>
    (await ruleState('11111111-2222-4333-8444-555555555555')) === 'running' ? true : undefined,
  )
  await eventually('the other runs', waitMs, async () =>
    (await ruleState('imported/kettle')) === 'running' ? true : undefined,
  )
  expect(await ruleState('imported/shared/part')).toBeUndefined()
})

test.skipIf(skip)('an event is told, and a rule tried on the past finds it', async () => {
  await addEvent({ event: { action: 'boil' }, message: 'the kettle boils' })
  await eventually('the receiver is told', waitMs, async () => (received.length > 1 ? true : undefined))
  expect(JSON.stringify(received[1]?.body)).toContain('Kettle boils')
  const file = join(folder, 'tried.yml')
  writeFileSync(file, 'name: tried\ntype: any\nindex: kitchen-*\nfilter: [{ term: { event.action: boil } }]\n')
  const tried = await stack.logstack('rules', 'test', file, '--from', '-1d')
  expect(tried.code, tried.stderr).toBe(0)
  expect(tried.stdout).toContain('1 alert would have been raised; looked at 1 event')
  writeFileSync(file, 'name: tried\ntype: any\nindex: kitchen-*\nnum_events: 3\n')
  const refused = await stack.logstack('rules', 'test', file)
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toMatch(/tried\.yml:4:1: unknown key \[num_events\]\n\s+fix: /)
})

test.skipIf(skip)('an alert is looked after: its timeline, acknowledged, silenced, and the silence ended', async () => {
  const { page } = watched
  await goTo(page, 'alerts')
  await page.getByTestId('alert-row').getByText('Kettle boils').click()
  const timeline = page.getByTestId('alert-timeline')
  await timeline.getByText('the kettle boils').waitFor()
  await timeline.getByText('Sent through slack').waitFor()
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click()
  await timeline.getByText('elastic set it to acknowledged').waitFor()
  await page.getByRole('button', { name: 'for an hour' }).click()
  await page.getByText('The channels of this rule are quiet now.').waitFor()
  await screenshot(page, 'alert')
  // A silence is heard of within seconds; until then an alert may still be sent.
  await eventually('an alert under the silence', waitMs, async () => {
    await addEvent({ event: { action: 'boil' }, message: 'again' })
    const silenced = await sources('.logstack-alerts', { exists: { field: 'logstack.alert.silenced.id' } })
    return silenced.length > 0 ? true : undefined
  })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Silences (1)' }).click()
  await page.getByRole('button', { name: 'End now' }).click()
  await page.getByText('Nothing is silenced.').waitFor()
  await page.keyboard.press('Escape')
})

test.skipIf(skip)('alerts of one rule are closed together, and their events opened in Discover', async () => {
  const { page } = watched
  await goTo(page, 'alerts')
  await page.getByLabel('Group by rule and key').check()
  const group = page.getByTestId('alert-group').filter({ hasText: 'Kettle boils' })
  await group.getByRole('button', { name: 'Show the alerts of Kettle boils' }).click()
  await screenshot(page, 'alerts-grouped')
  await group.getByRole('button', { name: 'Close all' }).click()
  // The events before may still be on their way to an alert, so only those that were shown are closed.
  await eventually('those of the group are closed', waitMs, async () => {
    const closed = await sources('.logstack-alerts', { term: { 'logstack.alert.status': 'closed' } })
    return closed.length > 1 ? true : undefined
  })
  await page.getByTestId('alert-row').getByText('Kettle boils').first().click()
  await page.getByRole('link', { name: 'Show the rule' }).click()
  await page.getByText('imported/kettle.yaml').waitFor()
  await page.getByText('filter:', { exact: false }).first().waitFor()
  await page.keyboard.press('Escape')
})

test.skipIf(skip)('a rule is written, tried, saved, switched off and deleted in the dashboard', async () => {
  const { page } = watched
  await goTo(page, 'rules')
  await page.getByTestId('rule-row').first().waitFor()
  await screenshot(page, 'rules')
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByLabel('File name').fill('whistle')
  const text = page.getByLabel('Rule (YAML', { exact: false })
  await text.fill('name: Kettle whistles\ntype: any\nindex: kitchen-*\nalert: command\ncommand: [id]\n')
  await page.getByRole('button', { name: 'Test run' }).click()
  await page.getByText('the channel command runs programs', { exact: false }).waitFor()
  await text.fill(
    'name: Kettle whistles\ntype: any\nindex: kitchen-*\nfilter: [{ term: { event.action: boil } }]\nalert: debug\n',
  )
  await page.getByRole('button', { name: 'Test run' }).click()
  await page.getByTestId('trial-result').getByText('Kettle whistles').first().waitFor()
  await screenshot(page, 'rule-editor')
  await page.getByRole('button', { name: 'Save' }).click()
  await eventually('it runs', waitMs, async () =>
    (await ruleState('dashboard/whistle')) === 'running' ? true : undefined,
  )
  await page.getByRole('button', { name: 'All rules' }).click()
  await page.getByLabel('On: Kettle whistles').press('Space')
  await eventually('it is off', waitMs, async () =>
    (await ruleState('dashboard/whistle')) === 'off' ? true : undefined,
  )
  await page.getByTestId('rule-row').getByText('Kettle whistles').click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete it now' }).click()
  await eventually('it is gone', waitMs, async () =>
    (await ruleState('dashboard/whistle')) === 'gone' ? true : undefined,
  )
})

test.skipIf(skip)(
  'the coverage of ATT&CK leads to the rules of a technique, and nothing made the browser complain',
  async () => {
    const { page, problems } = watched
    await goTo(page, 'rules')
    await page.getByRole('tab', { name: 'ATT&CK coverage' }).click()
    const matrix = page.getByTestId('attack-matrix')
    await screenshot(page, 'attack')
    await matrix
      .getByRole('region', { name: 'Execution' })
      .getByRole('button', { name: /^T1059/ })
      .click()
    await expect.poll(() => page.getByTestId('rule-row').filter({ hasText: 'Teapot opened' }).count()).toBe(1)
    expect(problems).toEqual([])
  },
)
