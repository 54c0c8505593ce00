import { expect, test } from 'vitest'
import { type Progress, ReadWhenWritten, RoundProgress, readProgress } from './progress.ts'
import { ShardReader } from './shards.ts'

type Client = Parameters<typeof readProgress>[0]

/** A client of a search that answers these, and what it was asked. */
function clientOf(product: string, answers: readonly { status: number; body: unknown }[]) {
  const asked: unknown[] = []
  const left = [...answers]
  const client = {
    capabilities: async () => ({ product, globalCheckpoints: true }),
    request: async ({ path, body }: { path: string; body?: unknown }) => {
      asked.push(body ?? path)
      return left.shift() ?? { status: 404, body: {} }
    },
  } as unknown as Client
  return { client, asked }
}

const told = {
  expressions: { 'logs-*': ['a', 'b'], own: ['own'] },
  indices: {
    a: { uuid: 'u1', checkpoint: 4, written: 6 },
    b: { uuid: 'u2', checkpoint: -1, written: -1 },
    own: { uuid: 'u3', checkpoint: 7, written: 9 },
  },
}

test('one question tells the shards of all patterns; what it leaves out is asked for alone', async () => {
  const { client, asked } = clientOf('logstack', [
    { status: 200, body: told },
    { status: 200, body: { indices: [{ name: 'c' }] } },
    { status: 200, body: { global_checkpoints: [2] } },
  ])
  const progress = new RoundProgress(() => readProgress(client, ['logs-*', 'logs-*', 'own']))
  const shards = new ShardReader(client, 10, () => progress.now())
  expect(await Promise.all([shards.shardsOf('logs-*'), shards.shardsOf('own')])).toEqual([
    [
      { index: 'a', shard: 0, shards: 1, checkpoint: 4 },
      { index: 'b', shard: 0, shards: 1, checkpoint: -1 },
    ],
    [{ index: 'own', shard: 0, shards: 1, checkpoint: 7 }],
  ])
  expect(asked).toEqual([{ expressions: ['logs-*', 'own'] }])
  expect(await shards.shardsOf('c')).toEqual([{ index: 'c', shard: 0, shards: 1, checkpoint: 2 }])
  expect(asked.slice(1)).toEqual(['/_resolve/index/c', '/c/_fleet/global_checkpoints'])
})

test('years of daily indices are no refusal where search tells of them together, and are where each is asked for', async () => {
  const daysOf = (count: number): string[] => Array.from({ length: count }, (_, day) => `day${day}`)
  const shardsOf = async (count: number) => {
    const body = { expressions: { 'day*': daysOf(count) }, indices: {} }
    const { client } = clientOf('logstack', [{ status: 200, body }])
    return new ShardReader(client, 500, () => readProgress(client, ['day*'])).shardsOf('day*')
  }
  expect(await shardsOf(3_000)).toHaveLength(3_000)
  await expect(shardsOf(10_001)).rejects.toMatchObject({ code: 'too_many_indices' })
  const indices = daysOf(501).map((name) => ({ name }))
  const { client } = clientOf('elasticsearch', [{ status: 200, body: { indices } }])
  const alone = new ShardReader(client, 500, async () => undefined)
  await expect(alone.shardsOf('day*')).rejects.toMatchObject({ code: 'too_many_indices' })
})

test('a search that cannot tell is not asked, or asked in vain', async () => {
  const other = clientOf('opensearch', [{ status: 200, body: told }])
  expect(await readProgress(other.client, ['logs-*'])).toBeUndefined()
  expect(other.asked).toEqual([])
  for (const answer of [
    { status: 400, body: { error: 'no handler found' } },
    { status: 200, body: { expressions: {} } },
  ])
    expect(await readProgress(clientOf('logstack', [answer]).client, ['logs-*'])).toBeUndefined()
})

test('a mark is that of an index named by itself, and changes with what is written and with the index', async () => {
  const markOf = async (uuid: string, written: number): Promise<string | undefined> => {
    const body = { expressions: { own: ['own'] }, indices: { own: { uuid, checkpoint: 0, written } } }
    const progress: Progress | undefined = await readProgress(clientOf('logstack', [{ status: 200, body }]).client, [])
    expect(progress?.markOf('other')).toBeUndefined()
    return progress?.markOf('own')
  }
  expect(await markOf('u', 3)).toBe(await markOf('u', 3))
  expect(new Set([await markOf('u', 3), await markOf('u', 4), await markOf('v', 3)]).size).toBe(3)
})

test('what was read is read again when it was written to, could not be read, or nobody knows', async () => {
  const read = new ReadWhenWritten()
  let reads = 0
  const look = (mark?: string) => read.when(mark, async () => void reads++)
  await look('1')
  await look('1')
  expect(reads).toBe(1)
  await look('2')
  await look()
  await look()
  expect(reads).toBe(4)
  await expect(read.when('3', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  await look('3')
  await look('3')
  expect(reads).toBe(5)
})
