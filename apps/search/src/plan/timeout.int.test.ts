import { AppError, searchErrors } from '@logstack/errors'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSearch } from '../api/search/run-search.ts'
import type { ReadOptions } from '../engine/engine.ts'
import { systemScope } from '../security/role-scope.ts'
import type { Services } from '../services.ts'
import { openSampleLogs, type SampleLogs } from '../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
})
afterAll(() => logs.services.close())

/** A search whose statements the engine ends for their time, as it does beyond their limit. */
async function endedSearch(body: object): Promise<unknown> {
  const limits: unknown[] = []
  const end = async (...given: unknown[]) => {
    const { limits: asked } = (given.at(-1) ?? {}) as ReadOptions
    limits.push(asked?.timeMsMax)
    throw new AppError(searchErrors.search_timeout, 'the search took too long')
  }
  const engine = Object.create(logs.services.engine, { rows: { value: end }, bytes: { value: end } })
  const services = { ...logs.services, engine } as unknown as Services
  const call = { scope: systemScope, signal: new AbortController().signal, expression: 'logs-1', query: {}, body }
  const json = await runSearch(services, { ...call, route: 'search' })
  return { ...(JSON.parse(json.toString('utf8')) as object), limits: [...new Set(limits)] }
}

it('answers a search that its own timeout ended with what is known, and says so', async () => {
  expect(await endedSearch({ timeout: '250ms' })).toMatchObject({
    timed_out: true,
    hits: { total: { value: 0, relation: 'gte' }, hits: [] },
    limits: [250],
  })
})

it('has the timeout of the cluster where a search names none', async () => {
  const kept = logs.services.store.collection<object>('cluster_settings')
  const set = (value: object) => logs.services.store.transaction(() => kept.put('persistent', value))
  await set({ 'search.default_search_timeout': '300ms' })
  expect(await endedSearch({})).toMatchObject({ timed_out: true, limits: [300] })
  expect(await endedSearch({ timeout: '250ms' })).toMatchObject({ timed_out: true, limits: [250] })
  await set({})
})

it('fails where no timeout was asked for, and takes no word for a time', async () => {
  await expect(endedSearch({})).rejects.toMatchObject({ cause: { code: 'search_timeout' } })
  await expect(endedSearch({ timeout: 'soon' })).rejects.toThrow('failed to parse setting [timeout] with value [soon]')
  expect(await logs.answer({ timeout: '2m' })).toMatchObject({ timed_out: false, hits: { total: { value: 5 } } })
})
