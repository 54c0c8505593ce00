import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseDecoder } from '../decoders/decoder-file.ts'
import { Decoders } from '../decoders/decoders.ts'
import { buildDocument } from './build-document.ts'

const decoders = new Decoders([
  parseDecoder({
    name: 'any',
    title: 'anything',
    programs: ['*', 'sshd'],
    contains: [' '],
    module: 'm',
    events: [
      {
        name: 'e',
        steps: [{ match: '(?<a>\\S+) (?<b>\\S+)' }],
        set: { 'source.ip': '{a}', 'user.name': '{b}', 'x.y': ['{a}'] },
      },
    ],
  }),
])
const keys = fc.constantFrom(
  'message',
  'event',
  'log',
  'source',
  'host',
  'tags',
  '@timestamp',
  'data_stream',
  'ecs',
  '__proto__',
  'a',
)
const anything = fc.oneof(
  fc.object({ key: keys, maxDepth: 4 }),
  fc.dictionary(keys, fc.oneof(fc.string(), fc.jsonValue(), fc.constant('Nov 21 10:00:00 h sshd[1]: a b'))),
)

it('makes a document of whatever an agent sends, with a time and its own data stream', () => {
  fc.assert(
    fc.property(anything, fc.constantFrom('logs' as const, 'metrics' as const), fc.nat(), (event, type, collected) => {
      const fields = JSON.parse(JSON.stringify(event)) as Record<string, unknown>
      const { index, document } = buildDocument({ type, dataset: 'a.b', fields, collected }, decoders, collected)
      expect(index).toBe(`${type}-a.b-default`)
      expect(Number.isNaN(Date.parse(String(document['@timestamp'])))).toBe(false)
      expect(document['data_stream']).toEqual({ type, dataset: 'a.b', namespace: 'default' })
      expect(JSON.parse(JSON.stringify(document))).toBeTypeOf('object')
      expect(Object.getPrototypeOf(document)).toBe(Object.prototype)
    }),
  )
})
