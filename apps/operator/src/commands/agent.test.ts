import { expect, it } from 'vitest'
import { type ListedAgent, listedWazuh, renderAgents } from './agent-list.ts'
import { renderPolicies } from './agent-policy.ts'
import { agentsNamed } from './agents-named.ts'
import { whoReaches } from './who-reaches.ts'

it('lists hosts in the order of their names, and says how to add the first one', () => {
  const seen = {
    type: 'logstack' as const,
    status: 'online',
    agent_version: '0.1.0',
    last_checkin: '2026-11-22T08:00:00.000Z',
  }
  expect(
    renderAgents([
      { id: 'b2', host_name: 'web-2', os_name: 'Debian 13', ...seen },
      {
        type: 'logstack',
        id: 'a1',
        status: 'offline',
        last_checkin_message: 'logs: no such file',
      },
    ]),
  ).toEqual([
    'a1                           offline         -          never seen               logstack       -',
    'web-2                        online          0.1.0      2026-11-22T08:00:00.000Z logstack       Debian 13',
  ])
  const full = { ...seen, status: 'unhealthy', last_checkin_message: 'data directory: no room' }
  expect(renderAgents([{ id: 'd4', host_name: 'db', ...full }])).toEqual([
    'db                           unhealthy       0.1.0      2026-11-22T08:00:00.000Z logstack       -',
    '  data directory: no room',
  ])
  const many = renderAgents([{ id: 'd4', ...full, last_checkin_message: `${'x'.repeat(500)}\nsecond line` }])
  expect(many[1]).toBe(`  ${'x'.repeat(400)}…`)
  expect(renderAgents([])).toEqual(['no host is enrolled: ./logstack agent command prints the line that adds one'])
})

it('lists Wazuh agents among them, with their id and how they are', () => {
  const stored = { name: 'pc-7', ip: 'any', added: '2026-11-28T08:00:00.000Z', added_by: 'import' as const }
  const now = Date.parse('2026-11-28T09:00:00.000Z')
  const seen = { version: '4.14.7', os: 'Microsoft Windows 11', last_seen: '2026-11-28T08:59:00.000Z', connected: true }
  const listed: ListedAgent[] = [
    listedWazuh({ id: '003', ...stored, name: 'pc-9' }, now),
    listedWazuh({ id: '007', ...stored, ...seen }, now),
  ]
  expect(renderAgents(listed)).toEqual([
    'pc-7                         active          4.14.7     2026-11-28T08:59:00.000Z wazuh 007      Microsoft Windows 11',
    'pc-9                         never_connected -          never seen               wazuh 003      -',
  ])
})

it('says of a line which names this machine alone that no other host can use it', () => {
  for (const own of ['127.0.0.1', '127.8.0.1', '::1'])
    expect(whoReaches(own)).toMatch(/^only this machine reaches .*\.\/logstack up --detach --ip ADDRESS$/)
  for (const reached of ['192.0.2.10', '2001:db8::1']) expect(whoReaches(reached)).toBeUndefined()
})

const hosts = [
  { id: 'a1', host_name: 'web', status: 'online', policy_id: 'default' },
  { id: 'b2', host_name: 'db', status: 'online', policy_id: 'quiet' },
  { id: 'c3', host_name: 'web', status: 'online', policy_id: 'default' },
]

it('finds hosts by name or id, and says which of several is meant', () => {
  expect(agentsNamed(hosts, ['db', 'c3']).map(({ id }) => id)).toEqual(['b2', 'c3'])
  expect(() => agentsNamed(hosts, ['mail'])).toThrow('no host is called [mail]')
  expect(() => agentsNamed(hosts, ['dbb'])).toThrow('no host is called [dbb], did you mean [db]?')
  expect(() => agentsNamed(hosts, ['web'])).toThrow(
    expect.objectContaining({ message: '2 hosts are called [web]', fix: 'name one by its id: a1, c3' }),
  )
})

it('lists policies with the number of their hosts', () => {
  const policies = [
    { id: 'quiet', name: 'Quiet hosts', revision: 3 },
    { id: 'default', name: 'Default policy', revision: 12 },
  ]
  expect(renderPolicies(policies, hosts)).toEqual([
    'default                      revision 12    2 hosts      Default policy',
    'quiet                        revision 3     1 host       Quiet hosts',
  ])
})
