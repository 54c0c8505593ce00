import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../../testing/sample-logs.ts'

let logs: SampleLogs
const copied = 'the quick brown fox jumps over the lazy dog'
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('posts', {
    properties: {
      body: { type: 'text' },
      kind: { type: 'keyword' },
      part: { type: 'nested', properties: { body: { type: 'text' } } },
    },
  })
  const bodies = [
    `${copied} alpha`,
    `beta ${copied}`,
    `${copied} gamma alpha`,
    'short alpha the quick brown fox jumps',
    // A sequence that repeats within one text counts there once.
    'one two three four five six one two three four five six',
    // What is usual among all documents is not special here.
    ...Array.from({ length: 11 }, () => 'other words'),
  ]
  await logs.services.write(
    'posts',
    bodies.map((body, at): readonly [string, unknown] => [String(at), { body, kind: at < 5 ? 'seen' : 'rest' }]),
  )
})
afterAll(() => logs.services.close())

async function words(options: object): Promise<Record<string, number>> {
  const found = (await logs.aggs(
    { w: { significant_text: { field: 'body', min_doc_count: 1, size: 100, ...options } } },
    { query: { term: { kind: 'seen' } } },
    'posts',
  )) as { w: { buckets: { key: string; doc_count: number; bg_count: number }[] } }
  expect(found.w.buckets.every(({ doc_count, bg_count }) => doc_count <= bg_count)).toBe(true)
  return Object.fromEntries(found.w.buckets.map(({ key, doc_count }) => [key, doc_count]))
}

it('counts copied text in every document unless it is filtered', async () => {
  expect(await words({})).toMatchObject({ fox: 4, lazy: 3, dog: 3, alpha: 3, beta: 1, six: 1 })
})

it('counts what stands in a sequence of six words that was seen before only where it came first', async () => {
  const found = await words({ filter_duplicate_text: true })
  // `the quick brown fox jumps` is a sequence of five: no repeat.
  expect(found).toMatchObject({ fox: 2, lazy: 1, dog: 1, alpha: 3, beta: 1, gamma: 1, one: 1, six: 1 })
  expect(found['short']).toBe(1)
})

it('is counted for buckets by what came before in the whole sample', async () => {
  const found = await logs.aggs(
    {
      k: {
        terms: { field: 'kind' },
        aggs: {
          w: {
            significant_text: {
              field: 'body',
              min_doc_count: 1,
              filter_duplicate_text: true,
              include: ['lazy', 'other'],
            },
          },
        },
      },
    },
    {},
    'posts',
  )
  expect(found).toMatchObject({
    k: {
      buckets: [
        { key: 'rest', w: { buckets: [{ key: 'other', doc_count: 11, bg_count: 11 }] } },
        { key: 'seen', w: { doc_count: 5, buckets: [{ key: 'lazy', doc_count: 1, bg_count: 3 }] } },
      ],
    },
  })
})

it.each([[{ source_fields: ['title'] }, '[source_fields] other than [field] is not supported in [w]']])(
  'refuses %s',
  async (options, reason) => {
    await expect(words(options)).rejects.toMatchObject({ cause: { message: reason } })
  },
)

it('refuses to look for repeats among objects within documents', async () => {
  const inner = { significant_text: { field: 'part.body', filter_duplicate_text: true } }
  await expect(logs.aggs({ n: { nested: { path: 'part' }, aggs: { w: inner } } }, {}, 'posts')).rejects.toMatchObject({
    cause: { message: '[filter_duplicate_text] is not supported within [nested]' },
  })
})
