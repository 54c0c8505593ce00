import { expect, it } from 'vitest'
import { mapDocument } from './map-document.ts'
import { checkMappingLimits, mappingLimits, mergeMappings } from './mapping-merge.ts'
import { parseMapping } from './mapping-parse.ts'

const join = (relations: unknown, name = 'j') => ({ properties: { [name]: { type: 'join', relations } } })
const mapping = parseMapping(join({ p: ['c', 'd'], d: 'e' }))

function valuesOf(source: unknown, origin: { id?: string; routing?: string } = { id: '7', routing: '1' }) {
  const { values } = mapDocument(mapping, {}, source as Record<string, unknown>, origin)
  return Object.fromEntries(values.map(({ field, values: found }) => [field.path, found]))
}

it('keeps the relation of a document and the parent it is or has, by the parent of the relation', () => {
  expect(valuesOf({ j: 'p' })).toEqual({ j: ['p'], 'j#p': ['7'] })
  expect(valuesOf({ j: { name: 'c', parent: 1 } })).toEqual({ j: ['c'], 'j#p': ['1'] })
  expect(valuesOf({ j: { name: 'd', parent: '1' } })).toEqual({ j: ['d'], 'j#p': ['1'], 'j#d': ['7'] })
  expect(valuesOf({ j: [{ name: ['e'], parent: ['5'] }] })).toEqual({ j: ['e'], 'j#d': ['5'] })
  expect(valuesOf({ j: [] })).toEqual({})
})

it.each([
  [{ j: 'c' }, '[parent] is missing for join field [j]'],
  [{ j: { parent: 1 } }, 'null join name in field [j]'],
  [{ j: 'x' }, 'unknown join name [x] for field [j]'],
  [{ j: { name: 'c', parent: '1', u: 3 } }, 'unknown field name [u] in join field [j]'],
  [{ j: 5 }, '[j] expected START_OBJECT or VALUE_STRING but was: VALUE_NUMBER'],
  [{ j: null }, '[j] expected START_OBJECT or VALUE_STRING but was: VALUE_NULL'],
  [{ j: ['p', 'd'] }, 'only one value is allowed per field'],
  [{ 'j.name': 'p' }, 'Could not dynamically add mapping for field [j.name]'],
])('refuses %j', (source, reason) => {
  expect(() => valuesOf(source)).toThrow(reason)
})

it('refuses a child that was written without routing, and not one that is read again', () => {
  const child = { j: { name: 'c', parent: '1' } }
  expect(() => valuesOf(child, { id: '2', routing: '' })).toThrow('[routing] is missing for join field [j]')
  expect(valuesOf(child, { id: '2' })).toEqual({ j: ['c'], 'j#p': ['1'] })
})

it('shows a mapping with what it did not say', () => {
  expect(parseMapping(join({ p: ['c'] }))).toEqual({
    properties: { j: { type: 'join', eager_global_ordinals: true, relations: { p: 'c' } } },
  })
})

it('refuses mappings of more than one parent, within objects and of more than one field', () => {
  expect(() => parseMapping(join({ p: 'c', q: 'c' }))).toThrow('[c] cannot have multiple parents')
  expect(() => parseMapping(join('x'))).toThrow('relations should be a hash but was of type: class java.lang.String')
  expect(() => parseMapping({ properties: { o: join({ p: 'c' }) } })).toThrow(
    'join field [o.j] cannot be added inside an object or in a multi-field',
  )
  expect(() => parseMapping({ properties: { o: { type: 'parent' } } })).toThrow('does not exist')
  const two = mergeMappings(mapping, parseMapping(join({ p: 'c' }, 'k')))
  expect(() => checkMappingLimits(two, mappingLimits({}))).toThrow(
    'Only one [parent-join] field can be defined per index, got [j, k]',
  )
})

it.each([
  ['a document', () => valuesOf({ j: 'p', 'j#p': '1' })],
  ['an object of a document', () => valuesOf({ 'j#d': { x: 1 } })],
  ['a mapping', () => checkMappingLimits(widened({ properties: { 'j#p': { type: 'keyword' } } }), mappingLimits({}))],
  ['a runtime field', () => checkMappingLimits(widened({ runtime: { 'j#p': { type: 'long' } } }), mappingLimits({}))],
])('lets no field of %s take the place of a parent', (_, act) => {
  expect(act).toThrow(/Field \[j#[pd]\] is defined more than once/)
})

function widened(more: unknown) {
  return mergeMappings(mapping, parseMapping(more))
}

it('takes new relations and takes none away', () => {
  const change = (relations: unknown) => mergeMappings(mapping, parseMapping(join(relations)))
  expect(change({ p: ['c', 'd', 'n'], d: 'e', x: 'y' }).properties?.['j']?.['relations']).toEqual({
    p: ['c', 'd', 'n'],
    d: 'e',
    x: 'y',
  })
  expect(() => change({ p: ['c', 'd'] })).toThrow(
    'Cannot remove parent [d]\n\tConflict in parameter [relations]: Cannot remove child [e]',
  )
  expect(() => change({ p: ['c', 'd'], d: 'e', c: 'z' })).toThrow('Cannot create parent [c] from an existing child')
  expect(() => change({ p: ['c', 'd'], d: 'e', z: 'p' })).toThrow('Cannot create child [p] from an existing root')
})
