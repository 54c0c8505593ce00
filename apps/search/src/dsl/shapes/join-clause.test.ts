import { expect, it } from 'vitest'
import { parseMapping } from '../../indices/mapping-parse.ts'
import { createLowerContext } from '../lower-context.ts'

const mapping = parseMapping({ properties: { j: { type: 'join', relations: { p: 'c' } } } })
const context = () =>
  createLowerContext({
    index: { name: 'families', settings: {}, mapping },
    fields: new Map(),
    scope: { canSeeField: () => true },
    nowMs: 0,
  })
const query = { match_all: {} }

it.each([
  [{ has_child: { query } }, "[has_child] requires 'type' field"],
  [{ has_child: { type: null, query } }, "[has_child] requires 'type' field"],
  [{ has_child: { type: 'c' } }, "[has_child] requires 'query' field"],
  [{ has_child: { type: 'c', query: null } }, "[has_child] requires 'query' field"],
  [{ has_child: { type: 'c', query, min_children: -1 } }, "[has_child] requires non-negative 'min_children' field"],
  [{ has_child: { type: 'c', query, max_children: -1 } }, "[has_child] requires non-negative 'max_children' field"],
  [
    { has_child: { type: 'c', query, min_children: 3, max_children: 2 } },
    "[has_child] 'max_children' is less than 'min_children'",
  ],
  [{ has_child: { type: 'c', query, score_mode: 'median' } }, 'No score mode for child query [median] found'],
  [{ has_child: { type: 'p', query } }, "[has_child] join field [j] doesn't hold [p] as a child"],
  [{ has_parent: { parent_type: null, query } }, "[has_parent] requires 'parent_type' field"],
  [{ has_parent: { parent_type: 'p', query: null } }, "[has_parent] requires 'query' field"],
  [{ has_parent: { parent_type: 'c', query } }, "[has_parent] join field [j] doesn't hold [c] as a parent"],
  [{ parent_id: { type: null, id: '1' } }, "[parent_id] requires 'type' field"],
  [{ parent_id: { type: 'c' } }, "[parent_id] requires 'id' field"],
  [{ parent_id: { type: 'p', id: '1' } }, '[parent_id] no relation found for child [p]'],
])('refuses %j', (body, reason) => {
  expect(() => context().lower(body)).toThrow(reason)
})

it('finds nothing of a relation that is not there where that is borne', () => {
  expect(context().lower({ has_child: { type: 'x', query, ignore_unmapped: true } })).toEqual({ op: 'none' })
  expect(context().lower({ has_parent: { parent_type: 'x', query, ignore_unmapped: true } })).toEqual({ op: 'none' })
})
