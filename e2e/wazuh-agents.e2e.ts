import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { chromiumPath, launchBrowser, logIn, openPage, screenshot } from './browser.ts'
import { type Stack, startStack } from './stack.ts'

// How an administrator brings the agents of a Wazuh server along: with the command they type, and on the page they look at.

const folder = mkdtempSync(join(tmpdir(), 'logstack-wazuh-'))
const checkout = fileURLToPath(new URL('..', import.meta.url))
const keys = join(folder, 'client.keys')
const key = 'f00d'.repeat(16)
let stack: Stack

beforeAll(async () => {
  stack = await startStack()
})

afterAll(async () => {
  await stack?.down()
  rmSync(folder, { recursive: true, force: true })
})

const rowsOf = async (): Promise<{ type: string; id: string; host_name: string; status: string }[]> =>
  JSON.parse((await stack.logstack('agent', 'list', '--json')).stdout)

test('keys are imported once, listed without them, and forgotten', async () => {
  writeFileSync(keys, `001 pc-1 any ${key}\n002 pc-2 10.0.0.0/255.0.0.0 ${key}\n003 !pc-3 any ${key}\n004 pc-4\n`)
  const first = await stack.logstack('agent', 'import-wazuh', keys)
  expect([first.code, first.stdout]).toEqual([
    2,
    'not imported: line 4: expected ID NAME IP KEY\n2 agents added, 1 line of removed agents and comments left out\n',
  ])
  expect(first.stderr).toContain('1 of 3 lines were not imported')
  writeFileSync(keys, `001 pc-1 any ${key}\n002 pc-2 10.0.0.0/8 ${key}\n`)
  const again = await stack.logstack('agent', 'import-wazuh', keys)
  expect([again.code, again.stdout]).toEqual([0, '0 agents added, 2 there already\n'])
  const piped = `echo '003 pc-3 any ${key}' | ./logstack --data '${stack.dataDir}' agent import-wazuh -`
  expect(execFileSync('/bin/sh', ['-c', piped], { cwd: checkout, encoding: 'utf8', stdio: 'pipe' })).toBe(
    '1 agent added\n',
  )

  const listed = await stack.logstack('agent', 'list', '--json')
  expect(listed.stdout).not.toContain(key)
  expect((await rowsOf()).filter(({ type }) => type === 'wazuh')).toMatchObject([
    { id: '001', host_name: 'pc-1', status: 'never_connected' },
    { id: '002', host_name: 'pc-2', status: 'never_connected' },
    { id: '003', host_name: 'pc-3', status: 'never_connected' },
  ])
  expect((await stack.logstack('agent', 'remove-wazuh', 'pc-2')).stdout).toBe('forgot 002 pc-2\n')
  expect((await rowsOf()).map(({ id }) => id)).not.toContain('002')
})

test('a line for Windows enrols with a token at the ports of this stack', async () => {
  const { code, stdout } = await stack.logstack('agent', 'command', '--wazuh', 'windows', '--hours', '1')
  expect(code).toBe(0)
  const [, token = ''] = /WAZUH_REGISTRATION_PASSWORD=`"([^`]+)`"/.exec(stdout) ?? []
  // As endpoint-manager reads it: an id, and a key that only agent-server can tell to be one.
  expect(Buffer.from(token, 'base64').toString()).toMatch(/^[\w-]{20}:[\w-]{43}$/)
  expect(stdout).toContain(`WAZUH_MANAGER_PORT=\`"${1514 + stack.portOffset}\`"`)
  expect(stdout).toContain(`WAZUH_REGISTRATION_PORT=\`"${1515 + stack.portOffset}\`"`)
})

test.skipIf(!existsSync(chromiumPath))('the pages show the agents, and the line for Windows', async () => {
  const browser = await launchBrowser()
  try {
    const watched = await openPage(browser)
    const { page } = watched
    await logIn(watched, stack.dashboardUrl, { username: 'elastic', password: stack.password })
    await page.goto(`${stack.dashboardUrl}/app/agents`)
    await page.getByTestId('agent-row').filter({ hasText: 'pc-1' }).getByText('never connected').waitFor()
    await page.goto(`${stack.dashboardUrl}/app/agents/add`)
    await page.getByText('Windows', { exact: true }).click()
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText(/^Valid until/).waitFor()
    const token = await page.locator('pre').first().textContent()
    await page
      .locator('pre')
      .filter({ hasText: `WAZUH_REGISTRATION_PASSWORD=\`"${token}\`"` })
      .waitFor()
    await screenshot(page, 'add-wazuh-agent')
    expect(await violationsOf(page)).toEqual([])
  } finally {
    await browser.close()
  }
})
