import { describe, expect, it } from 'vitest'
import { mapDocument } from './map-document.ts'
import { mergeMappings } from './mapping-merge.ts'
import { parseMapping } from './mapping-parse.ts'

function map(mapping: unknown, source: unknown) {
  const text = JSON.stringify(source)
  return mapDocument(parseMapping(mapping), {}, JSON.parse(text), { id: '1', bytes: Buffer.from(text) })
}
const valuesOf = (document: ReturnType<typeof map>): unknown =>
  Object.fromEntries(document.values.map(({ field, values }) => [field.path, values]))
const long = { type: 'long' }

describe('an object that holds no objects', () => {
  const flat = (properties: object, more: object = { subobjects: false }) => ({
    properties: { metrics: { type: 'object', ...more, properties } },
  })

  it('keeps a field beside those whose names go on from it', () => {
    const given = flat({ time: long, 'time.max': long, jvm: { properties: { 'gc.time': long } } })
    const properties = { time: long, 'time.max': long, 'jvm.gc.time': long }
    expect(parseMapping(given).properties?.['metrics']).toEqual({ subobjects: false, properties })
  })

  it.each([
    { metrics: { time: 5, 'time.max': 9 } },
    { metrics: [{ time: [5] }, { 'time.max': 9 }] },
    { 'metrics.time': 5, 'metrics.time.max': 9 },
    { metrics: { time: 5 }, 'metrics.time': { max: 9 } },
  ])('reads %j', (source) => {
    const document = map(flat({ time: long, 'time.max': long }), source)
    expect(valuesOf(document)).toEqual({ 'metrics.time': [5], 'metrics.time.max': [9] })
    expect(document.mapping).toBeUndefined()
  })

  it.each([{ subobjects: false }, { disable_objects: true }])('adds new fields under dotted names with %j', (more) => {
    const { mapping } = map(flat({}, more), { metrics: { jvm: { gc: [{ time: 1 }, { time: 2 }] }, time: 3 } })
    expect(mapping?.properties?.['metrics']?.properties).toEqual({ 'jvm.gc.time': long, time: long })
  })

  it('may be the whole mapping', () => {
    const document = map({ subobjects: false, properties: { 'a.b': long } }, { a: { b: 1, c: { d: 2 } } })
    expect(document.mapping?.properties).toEqual({ 'a.b': long, 'a.c.d': long })
    expect(valuesOf(document)).toEqual({ 'a.b': [1], 'a.c.d': [2] })
  })

  it('stays one when fields are added, whoever says them how', () => {
    const before = parseMapping(flat({ time: long }))
    const added = parseMapping({ properties: { metrics: { properties: { jvm: { properties: { time: long } } } } } })
    const after = mergeMappings(before, added)
    expect(after.properties?.['metrics']?.properties).toEqual({ time: long, 'jvm.time': long })
    expect(() => mergeMappings(before, parseMapping(flat({}, { subobjects: true })))).toThrow(
      "the [subobjects] parameter can't be updated for the object mapping [metrics]",
    )
  })

  it.each([
    [{ time: { type: 'nested' } }, 'Tried to add nested object [time] to object [metrics]'],
    [{ time: { type: 'object', enabled: false } }, 'Tried to add subobject [time] to object [metrics]'],
  ])('takes no %j', (properties, reason) => {
    expect(() => parseMapping(flat(properties))).toThrow(reason)
  })
})

describe('dynamic mapping by templates only', () => {
  const dynamic_templates = [{ names: { match: 'n_*', mapping: { type: 'keyword' } } }]

  it('adds the fields that a template names and ignores all others', () => {
    const document = map(
      { dynamic: 'false_allow_templates', dynamic_templates },
      { n_a: 'x', other: 1, o: { n_b: 'y' } },
    )
    expect(document.mapping?.properties).toEqual({ n_a: { type: 'keyword' } })
    expect(valuesOf(document)).toEqual({ n_a: ['x'] })
  })

  it('refuses all others where it is strict', () => {
    const mapping = { dynamic: 'strict_allow_templates', dynamic_templates }
    expect(valuesOf(map(mapping, { n_a: 'x' }))).toEqual({ n_a: ['x'] })
    expect(() => map(mapping, { other: 1 })).toThrow(
      'mapping set to strict_allow_templates, dynamic introduction of [other] within [_doc] is not allowed',
    )
  })
})
