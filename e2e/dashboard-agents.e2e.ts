import { agentIndices } from '@logstack/contracts'
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

const tests = await pageForTests(async ({ client }) => {
  const { name, properties } = agentIndices.agents
  const documents = Object.values(agents).map((agent) => ({
    active: true,
    policy_id: 'default',
    last_checkin: new Date().toISOString(),
    ...agent,
  }))
  await fillIndex(client, name, properties, documents)
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
