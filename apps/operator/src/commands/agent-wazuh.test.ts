import { expect, it } from 'vitest'
import { nextSteps, summaryOf } from './agent-wazuh.ts'

const none = { added: 0, replaced: 0, unchanged: 0, refused: [] }

it('says what an import did, and how the agents come here', () => {
  expect(summaryOf({ ...none, added: 1 }, 0)).toBe('1 agent added')
  expect(summaryOf({ added: 2, replaced: 3, unchanged: 4, refused: [] }, 1)).toBe(
    '2 agents added, 3 with a new key or address, 4 there already, 1 line of removed agents and comments left out',
  )
  const here = { port: 1514, ipvar: '192.0.2.7' }
  expect(nextSteps({ ...none, added: 1 }, here)[0]).toContain(
    'the address or the name of the old server; or set <address> in',
  )
  expect(nextSteps({ ...none, unchanged: 1 }, { ...here, port: 1814 })[0]).toContain(
    'Set <address>, and <port> to 1814, in',
  )
  expect(nextSteps({ ...none, added: 1 }, { ...here, ipvar: '127.0.0.1' })[0]).toMatch(/^only this machine reaches 127/)
  expect(nextSteps(none, here)).toEqual([])
})
