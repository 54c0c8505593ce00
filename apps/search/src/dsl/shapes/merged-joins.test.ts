import { expect, it } from 'vitest'
import { mergedJoins } from './merged-joins.ts'

const child = (type: string, query: unknown, more = {}) => ({ has_child: { type, query, ...more } })
const [red, blue] = [{ term: { word: 'red' } }, { term: { word: 'blue' } }]

it('asks once for children of a relation that match one of several queries', () => {
  const parent = (query: unknown) => ({ has_parent: { parent_type: 'p', query } })
  expect(mergedJoins([red, child('c', red), parent(red), child('d', red), child('c', blue), parent(blue)])).toEqual([
    red,
    child('c', { bool: { should: [red, blue] } }),
    parent({ bool: { should: [red, blue] } }),
    child('d', red),
  ])
})

it.each([
  ['counts', child('c', red, { min_children: 2 }), child('c', blue, { min_children: 2 })],
  ['scores', child('c', red, { score_mode: 'max' }), child('c', blue, { score_mode: 'max' })],
  ['inner hits', child('c', red, { inner_hits: {} }), child('c', blue, { inner_hits: { name: 'b' } })],
  ['names', child('c', red, { _name: 'a' }), child('c', blue)],
  ['fields that may be absent', child('c', red, { ignore_unmapped: true }), child('c', blue)],
  ['faults', child('c', red), child('c', 'blue')],
  ['other clauses', red, red],
])('leaves joins with %s apart', (_, ...queries) => {
  expect(mergedJoins(queries)).toEqual(queries)
})
