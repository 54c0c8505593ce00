import { expect, it } from 'vitest'
import { checkIndexSort } from './index-sort.ts'
import { parseMapping } from './mapping-parse.ts'

const mapping = parseMapping({
  properties: {
    rank: { type: 'integer' },
    host: { properties: { name: { type: 'keyword' } } },
    text: { type: 'text' },
    bare: { type: 'keyword', doc_values: false },
    contacts: { type: 'nested', properties: { age: { type: 'integer' } } },
  },
})
const check = (settings: Record<string, string>) => () => checkIndexSort('i', mapping, settings)

it('takes fields of the document itself, each with its order', () => {
  expect(check({})).not.toThrow()
  expect(check({ 'sort.field': 'rank, host.name', 'sort.order': 'desc,asc' })).not.toThrow()
})

it.each([
  [
    { 'sort.field': 'contacts.age' },
    'index sorting on nested fields is not supported: found nested sort field [contacts.age] in [i]',
  ],
  [{ 'sort.field': 'other' }, 'unknown index sort field:[other]'],
  [{ 'sort.field': 'text' }, 'docvalues not found for index sort field:[text]'],
  [{ 'sort.field': 'bare' }, 'docvalues not found for index sort field:[bare]'],
  [
    { 'sort.field': 'rank', 'sort.order': 'asc,asc' },
    'index.sort.field:[rank] index.sort.order:[asc, asc], size mismatch',
  ],
  [{ 'sort.missing': '_last' }, 'setting [index.sort.missing] requires [index.sort.field]'],
])('refuses %j', (settings, reason) => expect(check(settings as Record<string, string>)).toThrow(reason))
