import { parseQuery } from '@logstack/esql'
import { beforeEach, expect, it } from 'vitest'
import { enrichPolicies } from '../../enrich/policy.ts'
import type { Store } from '../../store/store.ts'
import { memoryStore } from '../../testing/memory-store.ts'
import { withRowsTakenFirst } from './ahead.ts'

let store: Store

beforeEach(async () => {
  store = memoryStore()
  const policy = { type: 'match', indices: ['i'], match_field: 'k', enrich_fields: ['name'] } as const
  await store.transaction(() => enrichPolicies(store).put('p', { policy }))
})

const said = (text: string) =>
  withRowsTakenFirst(parseQuery(text).commands, store).map((command) =>
    command.command === 'limit' ? `limit ${command.count}` : command.command,
  )

it.each([
  ['FROM a | ENRICH p', ['from', 'limit 1000', 'enrich']],
  ['FROM a | ENRICH p | LIMIT 5', ['from', 'limit 5', 'enrich', 'limit 5']],
  ['FROM a | ENRICH p | SORT b | LIMIT 5', ['from', 'sort', 'limit 5', 'enrich', 'sort', 'limit 5']],
  ['FROM a | ENRICH p | WHERE b == 1 | STATS COUNT(*)', ['from', 'where', 'enrich', 'where', 'stats']],
  [
    'FROM a | ENRICH p | EVAL c = name | SORT b | LIMIT 1',
    ['from', 'sort', 'limit 1', 'enrich', 'eval', 'sort', 'limit 1'],
  ],
])('takes rows away before they are looked up: %s', (text, commands) => {
  expect(said(text)).toEqual(commands)
})

it.each([
  'FROM a | ENRICH p | SORT name | LIMIT 5',
  'FROM a | ENRICH p WITH b = name | WHERE b == "x"',
  'FROM a | ENRICH p | EVAL b = 1 | WHERE b == 1 | LIMIT 1',
  'FROM a | ENRICH p | RENAME name AS b | SORT b | LIMIT 1',
  'FROM a | ENRICH p | MV_EXPAND name | LIMIT 1',
  'FROM a | ENRICH p | SORT b | STATS COUNT(*)',
  'FROM a | ENRICH missing | LIMIT 5',
])('and leaves what depends on them, or on which rows there are, where it stands: %s', (text) => {
  expect(withRowsTakenFirst(parseQuery(text).commands, store)).toEqual(parseQuery(text).commands)
})
