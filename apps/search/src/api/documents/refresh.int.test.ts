import { expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()

const put = async (path: string, body: object): Promise<Record<string, unknown>> =>
  (await send(path, { method: 'PUT', body })).json() as Record<string, unknown>
const count = async (index: string): Promise<unknown> => Object((await send(`/${index}/_count`)).json())['count']
const status = async (path: string): Promise<number> => (await send(path)).status
const held = async (index: string): Promise<void> => {
  await put(`/${index}`, { settings: { refresh_interval: -1 } })
}

it('holds writes back from searches until a refresh where the refresh interval is -1', async () => {
  await held('held')
  await put('/held/_doc/1', { n: 1 })
  expect(await count('held')).toBe(0)
  expect([await status('/held/_doc/1'), await status('/held/_doc/1?realtime=false')]).toEqual([200, 404])
  await send('/held/_refresh', { method: 'POST' })
  expect([await count('held'), await status('/held/_doc/1?realtime=false')]).toEqual([1, 200])
  await put('/held/_doc/1', { n: 2 })
  const old = (await send('/held/_search?q=n:1')).json() as { hits: { hits: { _source: unknown }[] } }
  expect(old.hits.hits.map(({ _source }) => _source)).toEqual([{ n: 1 }])
})

it('counts what is not in the engine yet as the operations of the log', async () => {
  await held('logged')
  await put('/logged/_doc/1', { n: 1 })
  const translog = async () =>
    Object((await send('/logged/_stats/translog')).json())._all.primaries.translog as Record<string, number>
  const before = await translog()
  expect(before).toMatchObject({ operations: 1, uncommitted_operations: 1 })
  expect(before['size_in_bytes']).toBeGreaterThan(0)
  // Counting documents is reading them.
  expect(await translog()).toMatchObject({ operations: 0, size_in_bytes: 0 })
})

it('shows them when a write or a read asks for it, and when the interval is another', async () => {
  await held('asked')
  await put('/asked/_doc/1', { n: 1 })
  expect(await status('/asked/_doc/1?realtime=false&refresh=true')).toBe(200)
  await put('/asked/_doc/2', { n: 2 })
  await put('/asked/_doc/3?refresh=wait_for', { n: 3 })
  expect(await count('asked')).toBe(3)
  await put('/asked/_doc/4', { n: 4 })
  expect(await count('asked')).toBe(3)
  await put('/asked/_settings', { refresh_interval: '1s' })
  expect(await count('asked')).toBe(4)
})

it('meets the conflict of a document that changed after searches saw it last', async () => {
  await held('changed')
  await put('/changed/_doc/1?refresh=true', { n: 1 })
  await put('/changed/_doc/1', { n: 2 })
  const remove = async (conflicts: string): Promise<unknown> =>
    (
      await send(`/changed/_delete_by_query?conflicts=${conflicts}`, {
        method: 'POST',
        body: { query: { match_all: {} } },
      })
    ).json()
  expect(await remove('abort')).toMatchObject({
    deleted: 0,
    version_conflicts: 1,
    failures: [{ id: '1', status: 409 }],
  })
  expect(await remove('proceed')).toMatchObject({ deleted: 0, version_conflicts: 1, failures: [] })
})

it('copies what is held back, too', async () => {
  await held('original')
  await put('/original/_doc/1', { n: 1 })
  await put('/original/_settings', { 'index.blocks.write': true })
  await put('/original/_clone/copied', {})
  await send('/copied/_refresh', { method: 'POST' })
  expect(await count('copied')).toBe(1)
})
