import { expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const post = async (path: string, body: object = {}) =>
  (await send(path, { method: 'POST', body })).json() as Readonly<Record<string, unknown>>

async function fill(...indices: string[]): Promise<void> {
  for (const index of indices)
    for (const n of [1, 2, 3]) await send(`/${index}/_doc/${n}?refresh=true`, { method: 'PUT', body: { n } })
}

const failed = {
  status: 404,
  error: { type: 'search_phase_execution_exception', root_cause: [{ type: 'index_not_found_exception' }] },
}

it('a point in time says which of its indices are gone, and ends with the last', async () => {
  await fill('pit-1', 'pit-2')
  const { id } = await post('/pit-*/_pit?keep_alive=5m')
  const search = { pit: { id }, sort: ['n'] }
  await send('/pit-1', { method: 'DELETE' })
  expect(await post('/_search', search)).toMatchObject({
    _shards: { total: 2, successful: 1, failed: 1, failures: [{ index: 'pit-1' }] },
    hits: { total: { value: 3 } },
  })
  expect(await post('/_search?allow_partial_search_results=false', search)).toMatchObject(failed)
  await send('/pit-2', { method: 'DELETE' })
  expect(await post('/_search', search)).toMatchObject(failed)
  expect(await post('/_search', { ...search, size: 0, aggs: { a: { sum: { field: 'n' } } } })).toMatchObject(failed)
})

it('a scroll fails where one of its indices is gone: what is left would pass for all of it', async () => {
  await fill('scroll-1', 'scroll-2')
  const { _scroll_id: id } = await post('/scroll-*/_search?scroll=5m', { size: 2, sort: ['n'] })
  await send('/scroll-1', { method: 'DELETE' })
  expect(await post('/_search/scroll', { scroll_id: id })).toMatchObject(failed)
})
