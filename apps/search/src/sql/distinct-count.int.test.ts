import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServices, type TestServices } from '../testing/search-services.ts'
import { distinctCount } from './distinct-count.ts'
import { num, sql } from './sql.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})
afterAll(() => services.close())

async function counted(values: number, memoryBytesMax: number): Promise<number[]> {
  const value = sql`cityHash64(toString(number))`
  const limits = { timeMsMax: 60_000, memoryBytesMax }
  const [row = []] = await services.engine.rows(
    sql`SELECT ${distinctCount(value, false)}, ${distinctCount(sql`[${value}, ${value} + 1]`, true)}, ${distinctCount(sql`NULL::Nullable(UInt64)`, false)}, ${distinctCount(sql`NULL`, false)} FROM numbers(${num(values)})`,
    { limits, weight: 'heavy' },
  )
  return row.map(Number)
}

it('counts few values to the last, and nothing as nothing', async () => {
  expect(await counted(30_000, 256 * 1024 ** 2)).toEqual([30_000, expect.any(Number), 0, 0])
  expect(await counted(10_000, 256 * 1024 ** 2)).toEqual([10_000, 20_000, 0, 0])
})

it('counts many within 1.5 %, in memory that would not hold them', async () => {
  const values = 3_000_000
  const [one = 0, both = 0] = await counted(values, 64 * 1024 ** 2)
  expect(Math.abs(one / values - 1)).toBeLessThan(0.015)
  expect(Math.abs(both / (2 * values) - 1)).toBeLessThan(0.015)
})
