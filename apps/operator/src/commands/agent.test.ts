import { expect, it } from 'vitest'
import { renderAgents } from './agent.ts'

it('lists hosts in the order of their names, and says how to add the first one', () => {
  const seen = {
    status: 'online',
    agent_version: '0.1.0',
    policy_id: 'default',
    last_checkin: '2026-11-22T08:00:00.000Z',
  }
  expect(
    renderAgents([
      { id: 'b2', host_name: 'web-2', ...seen },
      { id: 'a1', status: 'offline', policy_id: 'default' },
    ]),
  ).toEqual([
    'a1                           offline    -          never seen',
    'web-2                        online     0.1.0      2026-11-22T08:00:00.000Z',
  ])
  expect(renderAgents([])).toEqual(['no host is enrolled: logstack agent command prints the line that adds one'])
})
