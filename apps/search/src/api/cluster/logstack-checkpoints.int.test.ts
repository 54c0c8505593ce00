import { expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()

interface Told {
  readonly expressions: Readonly<Record<string, readonly string[]>>
  readonly indices: Readonly<
    Record<string, { readonly uuid: string; readonly checkpoint: number; readonly written: number }>
  >
}

async function told(...expressions: string[]): Promise<Told> {
  return (await send('/_logstack/checkpoints', { method: 'POST', body: { expressions } })).json() as Told
}
const put = (path: string, body: object = {}) => send(path, { method: 'PUT', body })

it('tells of several expressions at once what they stand for, and how far it may be read', async () => {
  await put('/one-a/_doc/1')
  await put('/one-a/_doc/2')
  await put('/one-b')
  await put('/two')
  await send('/two/_close', { method: 'POST' })
  await put('/_index_template/streams', { index_patterns: ['three-*'], data_stream: {} })
  await put('/three-logs/_create/1', { '@timestamp': 0 })
  await put('/one-a/_alias/named')
  await send('/_refresh', { method: 'POST' })
  const { expressions, indices } = await told('one-*', 'tw*', 'three-*,named', 'none-*', 'none', 'one-a,none')
  const backing = expressions['three-*,named']?.[0] ?? ''
  expect(backing).toMatch(/^\.ds-three-logs-/)
  expect(expressions).toEqual({
    'one-*': ['one-a', 'one-b'],
    'tw*': [],
    'three-*,named': [backing, 'one-a'],
    'none-*': [],
  })
  const progress = (at: number) => ({ uuid: expect.any(String), checkpoint: at, written: at })
  expect(indices).toEqual({ 'one-a': progress(1), 'one-b': progress(-1), [backing]: progress(0) })
})

it('counts what is written and not shown yet beside the checkpoint, and tells an index from one of its name before', async () => {
  await put('/held', { settings: { refresh_interval: -1 } })
  await put('/held/_doc/1')
  const before = (await told('held')).indices['held']
  expect(before).toMatchObject({ checkpoint: -1, written: 0 })
  await send('/held/_refresh', { method: 'POST' })
  expect((await told('held')).indices['held']).toEqual({ ...before, checkpoint: 0 })
  await send('/held', { method: 'DELETE' })
  await put('/held/_doc/1')
  expect((await told('held')).indices['held']?.uuid).not.toBe(before?.uuid)
})

it('refuses what is no list of names', async () => {
  for (const body of [{}, { expressions: 'one' }, { expressions: [], more: 1 }])
    expect((await send('/_logstack/checkpoints', { method: 'POST', body })).status).toBe(400)
})
