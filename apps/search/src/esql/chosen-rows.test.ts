import { parseQuery } from '@logstack/esql'
import { expect, it } from 'vitest'
import { choosing, isWide } from './chosen-rows.ts'

it.each<readonly [string, number | undefined]>([
  ['LIMIT 10', 1],
  ['WHERE a == 1 | EVAL b = a | SORT b | LIMIT 10 | STATS COUNT(*)', 4],
  ['SORT a | KEEP a', 2],
  ['STATS COUNT(*) BY a | LIMIT 10', undefined],
  ['SORT a | MV_EXPAND a | LIMIT 10', undefined],
  ['SAMPLE 0.5 | LIMIT 10', undefined],
])('knows which commands choose among documents: %s', (commands, count) => {
  const [, ...rest] = parseQuery(`FROM x | ${commands}`, []).commands
  expect(choosing(rest)?.length).toBe(count)
})

it('asks first of many columns of several tables', () => {
  expect([isWide(1, 5_000), isWide(10, 20), isWide(10, 100), isWide(2, 500)]).toEqual([false, false, true, true])
})
