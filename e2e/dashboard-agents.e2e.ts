import { agentIndices, wazuhAgentsIndex } from '@logstack/contracts'
import { ensureHiddenIndex, sendBulk } from '@logstack/search-client'
import { expect, test } from 'vitest'
import { violationsOf } from './accessibility.ts'
import { screenshot } from './browser.ts'
import { fillIndex, pageForTests } from './dashboard-page.ts'

// What agents say of themselves, as agent-server writes it down.

const full = '5000 events wait, and inputs with them, as the spool is full: connect ECONNREFUSED'
const unit = (id: string, type: string, status: string, message: string) => ({ id, type, status, message })
const agents = {
  troubled: {
    status: 'unhealthy',
    host_name: 'web-1',
    components: [
      { id: 'file', type: 'file', units: [unit('file-auth', 'input', 'HEALTHY', 'following 3 files')] },
      { id: 'output', type: 'output', units: [unit('output', 'output', 'DEGRADED', full)] },
    ],
  },
  well: {
    status: 'online',
    host_name: 'web-2',
    components: [
      {
        id: 'journald',
        type: 'journald',
        units: [unit('journald', 'input', 'DEGRADED', 'this host keeps no journal')],
      },
    ],
  },
}

const key = '0123456789abcdef'.repeat(4)
const wazuh = { ip: 'any', key, added: '2026-11-28T08:00:00.000Z', added_by: 'import' }
const wazuhAgents = {
  '003': {
    ...wazuh,
    name: 'pc-7',
    version: '4.14.7',
    os: 'Microsoft Windows 11 Pro',
    address: '192.0.2.7',
    last_seen: new Date().toISOString(),
    connected: true,
  },
  '004': { ...wazuh, name: 'web-0', ip: '10.0.0.0/8', last_seen: '2026-11-27T08:00:00.000Z', connected: true },
  '005': { ...wazuh, name: 'web-9' },
}

const tests = await pageForTests(async ({ client }) => {
  const { name, properties } = agentIndices.agents
  const documents = Object.values(agents).map((agent) => ({
    active: true,
    policy_id: 'default',
    last_checkin: new Date().toISOString(),
    ...agent,
  }))
  await fillIndex(client, name, properties, documents)
  await ensureHiddenIndex(client, wazuhAgentsIndex)
  const actions = Object.entries(wazuhAgents).map(([id, document]) => ({
    action: 'index' as const,
    index: wazuhAgentsIndex.name,
    id,
    document,
  }))
  await sendBulk(client, actions, { refresh: 'true' })
})
const { skip, named } = tests

test.skipIf(skip)(
  named('the list says of agents that are not well what is wrong, and of each all it says'),
  async () => {
    const { page } = tests.watched
    await page.goto(`${tests.address}/app/agents`)
    const row = page.getByTestId('agent-row').filter({ hasText: 'web-1' })
    await row.getByText(`output: ${full}`).waitFor()
    expect(await page.getByTestId('agent-row').filter({ hasText: 'web-2' }).textContent()).not.toContain('journal')
    await screenshot(page, 'agents-troubled')
    expect(await violationsOf(page)).toEqual([])
    const unitsOf = async (host: string): Promise<string[]> => {
      await page.getByRole('button', { name: `What ${host} can be told to do` }).click()
      const units = page.getByRole('dialog').getByTestId('agent-unit')
      await units.first().waitFor()
      const said = await units.allTextContents()
      await screenshot(page, `agent-${host}`)
      await page.keyboard.press('Escape')
      await units.first().waitFor({ state: 'detached' })
      return said
    }
    expect(await unitsOf('web-1')).toEqual([`DEGRADEDoutput ${full}`, 'HEALTHYfile-auth following 3 files'])
    expect(await unitsOf('web-2')).toEqual(['DEGRADEDjournald this host keeps no journal'])
  },
)

test.skipIf(skip)(named('Wazuh agents stand among the others, without their keys, and are forgotten'), async () => {
  const { page } = tests.watched
  const answers: string[] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/search'))
      response.text().then(
        (text) => answers.push(text),
        () => undefined,
      )
  })
  await page.goto(`${tests.address}/app/agents`)
  const rows = page.getByTestId('agent-row')
  const hosts = (): Promise<(string | undefined)[]> =>
    rows.allTextContents().then((texts) => texts.map((text) => /^(?:web|pc)-\d/.exec(text)?.[0]))
  await rows.nth(4).waitFor()
  expect(await hosts()).toEqual(['pc-7', 'web-0', 'web-1', 'web-2', 'web-9'])
  const texts = await rows.allTextContents()
  expect(texts[0]).toMatch(/^pc-7192\.0\.2\.7WazuhactiveMicrosoft Windows 11 Pro-4\.14\.7/)
  expect(texts[1]).toMatch(/^web-0Wazuhdisconnected/)
  expect(texts[4]).toMatch(/^web-9Wazuhnever connected---/)
  expect(await page.getByTestId('agents-shown').textContent()).toBe('5 agents')
  await screenshot(page, 'agents-wazuh')
  expect(await violationsOf(page)).toEqual([])

  const states: readonly (readonly [string, readonly string[]])[] = [
    ['disconnected', ['web-0']],
    ['never connected', ['web-9']],
    ['active', ['pc-7']],
    ['online', ['web-2']],
  ]
  for (const [state, fitting] of states) {
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: state, exact: true }).click()
    await expect.poll(hosts).toEqual(fitting)
  }
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'online', exact: true }).click()
  await expect.poll(hosts).toHaveLength(5)

  await page.getByRole('button', { name: 'What is known of web-0' }).click()
  const drawer = page.getByRole('dialog')
  const facts = drawer.getByTestId('agent-fact')
  await facts.first().waitFor()
  expect(await facts.allTextContents()).toEqual(expect.arrayContaining(['Id004', 'Let in from10.0.0.0/8']))
  expect(await drawer.getByRole('button', { name: 'Restart' }).count()).toBe(0)
  await screenshot(page, 'agent-wazuh')
  expect(await violationsOf(page)).toEqual([])
  page.once('dialog', (asked) => asked.dismiss())
  await drawer.getByRole('button', { name: 'Remove' }).click()
  await facts.first().waitFor()
  page.once('dialog', (asked) => asked.accept())
  await drawer.getByRole('button', { name: 'Remove' }).click()
  await facts.first().waitFor({ state: 'detached' })
  await expect.poll(hosts).toEqual(['pc-7', 'web-1', 'web-2', 'web-9'])
  expect(answers.some((text) => text.includes('pc-7'))).toBe(true)
  expect(answers.join('')).not.toContain(key)
})
