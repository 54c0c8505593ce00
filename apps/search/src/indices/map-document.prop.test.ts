import { isAppError } from '@logstack/errors'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mapDocument } from './map-document.ts'
import { mergeMappings } from './mapping-merge.ts'
import { parseMapping } from './mapping-parse.ts'

const names = fc.constantFrom('a', 'b', 'a.b', 'c', '@timestamp', '__proto__', 'constructor', 'x y', '', 'é')
const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom('10.0.0.1', '2026-11-21', '5'),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(names, tie('tree'), { maxKeys: 4 }),
  ),
}))
const source = fc.dictionary(names, tree, { maxKeys: 5 }).map((value) => JSON.stringify(value))
const types = [
  'keyword',
  'text',
  'long',
  'float',
  'date',
  'ip',
  'boolean',
  'geo_point',
  'flattened',
  'object',
  'nested',
  'constant_keyword',
]
const mapping = fc.dictionary(fc.constantFrom('a', 'b', 'c', '@timestamp'), fc.constantFrom(...types), { maxKeys: 4 })

/** Runs the work; undefined when it refused with an error of the catalogue. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (thrown) {
    if (isAppError(thrown)) return undefined
    throw thrown
  }
}

it('reads or refuses every document, and reads it the same way again by the mapping it made', () => {
  fc.assert(
    fc.property(mapping, source, (fields, text) => {
      const given = parseMapping({
        properties: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, { type }])),
      })
      const bytes = Buffer.from(text)
      const first = attempt(() => mapDocument(given, {}, JSON.parse(text), { id: '1', bytes }))
      if (first === undefined) return
      const again = mapDocument(first.mapping ?? given, {}, JSON.parse(text), { id: '1', bytes })
      expect(again.mapping).toBeUndefined()
      expect(again.values).toEqual(first.values)
      for (const { values } of first.values) expect(values.length).toBeGreaterThan(0)
    }),
    { numRuns: 1500 },
  )
})

it('the mapping a document made is a mapping a user could have put, and merging it changes nothing', () => {
  fc.assert(
    fc.property(source, (text) => {
      const made = attempt(() => mapDocument({}, {}, JSON.parse(text)))?.mapping
      if (made === undefined) return
      expect(parseMapping(JSON.parse(JSON.stringify(made)))).toEqual(made)
      expect(mergeMappings(made, made)).toEqual(made)
    }),
    { numRuns: 500 },
  )
})
