import { expect, it } from 'vitest'
import { evaluateRanking } from './evaluate.ts'
import { readMetric } from './metrics.ts'
import type { RatedRequest } from './rated-requests.ts'

it('holds no more documents than an answer can show', async () => {
  const hits = Array.from({ length: 10_000 }, (_, at) => ({ _index: 'logs', _id: String(at) }))
  const requests = Array.from(
    { length: 1_000 },
    (_, at): RatedRequest => ({ id: String(at), search: { body: {} }, ratings: new Map() }),
  )
  let searches = 0
  const search = async () => {
    searches += 1
    return hits
  }
  const metric = readMetric({ precision: { k: hits.length } })
  const evaluated = (some: readonly RatedRequest[]) =>
    evaluateRanking({ requests: some, templates: new Map(), metric, concurrent: 10 }, search, String)
  await expect(evaluated(requests)).rejects.toMatchObject({ code: 'circuit_breaking_exception' })
  expect(searches).toBeLessThan(100)
  expect(await evaluated(requests.slice(0, 10))).toMatchObject({ metric_score: { value: 0 } })
})
