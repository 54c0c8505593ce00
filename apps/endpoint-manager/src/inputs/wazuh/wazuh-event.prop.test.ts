import fc from 'fast-check'
import { expect, it } from 'vitest'
import { stateAction } from '../../inventory/current-state.ts'
import { systemFields } from './events/host-system.ts'
import { inventoryTables } from './events/inventory-tables.ts'
import { builtOf, web1 } from './wazuh-event.testing.ts'

const words = [
  'state',
  'event',
  'check',
  'summary',
  'INSERTED',
  'DELETED',
  'added',
  'modified',
  'wazuh-001',
  '__proto__',
  ' ',
]
const names = [
  ...['type', 'operation', 'component', 'data', 'attributes', 'old_attributes', 'changed_attributes', 'audit', 'check'],
  ...[
    'path',
    'perm',
    'index',
    'timestamp',
    'name',
    'version',
    'format',
    'id',
    'title',
    'policy_id',
    'compliance',
    'agent',
  ],
  ...[
    'Event',
    'Message',
    'logstack',
    'host',
    '__proto__',
    'constructor',
    'user_name',
    'os_name',
    'hotfix',
    'pid',
    'iface',
    'program',
    'IPv4',
    'address',
    'ID',
  ],
]
const oldTables = ['program', 'port', 'process', 'network', 'OS', 'hotfix', 'program_end']
const tables = [...inventoryTables.keys()]
  .flatMap((name) => [`dbsync_${name}`, `syscollector_${name}`])
  .concat(oldTables)
const text = fc.oneof(fc.constantFrom(...words, ...tables), fc.string({ unit: 'binary' }), fc.string())
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    text,
    fc.double(),
    fc.constant(null),
    fc.boolean(),
    fc.array(tie('any'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie('any'), { maxKeys: 8 }),
})).object
const start = fc.tuple(
  fc.constantFrom(...'123456789adefpuZ'),
  fc.oneof(fc.constantFrom('syscheck', 'journald', '|:'), fc.string()),
)
const messages = fc.oneof(
  fc.tuple(start, value).map(([[queue, at], body]) => `${queue}:${at}:${JSON.stringify(body)}`),
  fc.tuple(start, fc.string({ unit: 'binary' })).map(([[queue, at], body]) => `${queue}:${at}:${body}`),
  fc
    .tuple(fc.constantFrom(...tables), fc.constantFrom(...words), value)
    .map(([type, operation, data]) => `d:syscollector:${JSON.stringify({ type, operation, data })}`),
  fc.string({ unit: 'binary' }),
)

it('makes an event of its own host of whatever an agent sends, or none', () => {
  fc.assert(
    fc.property(messages, (sent) => {
      const built = builtOf(sent)
      if (built === undefined) return
      const { document, agent } = built
      expect(agent).toBe('wazuh-003')
      expect(document['agent']).toMatchObject({ id: 'wazuh-003', name: 'web1' })
      expect(document['host']).toMatchObject({ name: 'web1' })
      expect(new Date(String(document['@timestamp'])).getTime()).not.toBeNaN()
      expect(built.index).toMatch(/^logs-[a-z_.]{1,60}-default$/)
      const state = stateAction({ id: 'x', ...built })
      const other = builtOf(sent, { ...web1, id: '004' })
      if (state) expect(other && stateAction({ id: 'x', ...other })?.id).not.toBe(state.id)
    }),
    { numRuns: 2_000 },
  )
})

// Patterns that go back and forth take minutes for any of these, and this test with them.
it('reads long messages that look like what is looked for', () => {
  const pieces = [
    '|',
    ':',
    '(',
    '[1] (a) ',
    "ossec: output: '",
    '{"a":',
    '[',
    '<Event>',
    '<Channel>',
    'HKEY_USERS\\',
    '1 ',
  ]
  for (const piece of pieces) {
    const body = piece.repeat(Math.ceil(65_000 / piece.length))
    for (const queue of '1258fdp') {
      expect(builtOf(`${queue}:x:${body}`, { ...web1, system: systemFields(body) })?.document['host']).toMatchObject({
        name: 'web1',
      })
      expect(builtOf(`${queue}:${body}`)?.agent).toBe('wazuh-003')
    }
  }
})
