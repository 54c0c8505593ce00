import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseBulk } from './bulk-parser.ts'

const compileScript = () => (): void => undefined
const id = fc.oneof(
  fc.string(),
  fc.constantFrom('1', 'a"b', 'back\\slash', '","_id":"x', 'Größe', '\u0000', '"}}', '_id":"'),
)
const meta = fc.oneof(
  id.map((_id) => ({ _index: 'logs', _id })),
  id.map((_id) => ({ _id, _index: 'logs' })),
  id.map((_id) => ({ _index: 'other', routing: 'r', _id })),
  fc.tuple(id, id).map(([routing, _id]) => ({ _index: 'logs', routing, _id })),
)
const action = fc.tuple(fc.constantFrom('create', 'index'), meta).map(([name, of]) => JSON.stringify({ [name]: of }))

it('reads a line like one before as it is read alone', () => {
  fc.assert(
    fc.property(fc.array(action, { minLength: 1, maxLength: 12 }), (lines) => {
      const read = (some: readonly string[]) =>
        parseBulk(Buffer.from(some.map((line, at) => `${line}\n{"n":${at}}\n`).join('')), { compileScript })
      const together = read(lines)
      const alone = lines.map((line) => read([line])[0])
      expect(together.map(({ source, ...rest }) => ({ ...rest, source: String(source) }))).toEqual(
        alone.map((operation, at) => ({ ...operation, source: `{"n":${at}}` })),
      )
    }),
  )
})

it('reads lines alike in their beginning that say another id before', () => {
  const body =
    '{"create":{"_index":"a","_id":"1","_id":"2"}}\n{}\n{"create":{"_index":"a","_id":"1","_id":"3"}}\n{}\n{"create":{"_index":"a","_id":"4"}}\n{}\n'
  expect(parseBulk(Buffer.from(body), { compileScript }).map((operation) => operation.id)).toEqual(['2', '3', '4'])
})

it('says that the source of a line like one before is missing', () => {
  const line = '{"create":{"_index":"a","_id":"1"}}\n'
  expect(() => parseBulk(Buffer.from(`${line}{}\n${line}`), { compileScript })).toThrow('source is missing')
})
