import { expect, it } from 'vitest'
import { statusCounters } from './status-counts.ts'

it('counts statuses by whose fault they are, for each running search by itself', () => {
  const [one, other] = [{ catalogue: {} }, { catalogue: {} }]
  for (const status of [200, 201, 404, 429, 503]) statusCounters(one).count('documents', status)
  statusCounters(one).count('searches', 200)
  expect(statusCounters(one).documents).toEqual({ success: 2, user_error: 2, system_failure: 1 })
  expect(statusCounters(one).searches).toEqual({ success: 1, user_error: 0, system_failure: 0 })
  expect(statusCounters(other).documents).toEqual({ success: 0, user_error: 0, system_failure: 0 })
})
