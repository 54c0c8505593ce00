import { beforeAll, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

const send = searchOverWire()
const put = (path: string, body: object) => send(path, { method: 'PUT', body })
const auth = 'reader:a-long-password'

beforeAll(async () => {
  const properties = {
    seen: { type: 'rank_features' },
    hidden: { type: 'rank_features' },
    own: { type: 'rank_feature' },
  }
  await put('/pages', { mappings: { properties } })
  await put('/pages/_doc/1?refresh=true', { seen: { a: 2 }, hidden: { a: 3 }, own: 4 })
  const field_security = { grant: ['seen'] }
  await put('/_security/role/reader', { indices: [{ names: ['pages'], privileges: ['read'], field_security }] })
  await put('/_security/user/reader', { password: 'a-long-password', roles: ['reader'] })
})

it.each([
  [{ rank_feature: { field: 'seen.a', linear: {} } }, [2]],
  [{ term: { seen: 'a' } }, [2]],
  [{ rank_feature: { field: 'hidden.a', linear: {} } }, []],
  [{ term: { hidden: 'a' } }, []],
  [{ rank_feature: { field: 'own', linear: {} } }, []],
])('who may see a field may rank by its features, and by no others: %j', async (query, scores) => {
  const found = await send('/pages/_search', { method: 'POST', body: { query }, auth })
  const { hits } = found.json() as { hits: { hits: { _score: number }[] } }
  expect(hits.hits.map(({ _score }) => _score)).toEqual(scores)
})
