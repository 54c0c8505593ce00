import { afterAll, expect, it } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { index, OpenDocuments, remove, temporaryDirectories } from './documents.fixture.ts'
import type { WriteOperation } from './write-operation.ts'

const directories = temporaryDirectories()
afterAll(() => directories.remove())

/** Counts the look-ups of ids, which are what the documents read as bytes. */
function counting(): { lookups: number; readonly wrap: (inner: Engine) => Engine } {
  const counter = {
    lookups: 0,
    wrap: (inner: Engine): Engine => ({
      ...inner,
      bytes(...given) {
        counter.lookups += 1
        return inner.bytes(...given)
      },
    }),
  }
  return counter
}

const create = (id: string): WriteOperation => index(id, { id }, { action: 'create' })
const conflict = (id: string): unknown[] => [
  'version_conflict_engine_exception',
  `[${id}]: version conflict, document already exists (current version [1])`,
]

it('looks only for documents whose ids may be taken, before and after a restart', async () => {
  const directory = directories.next()
  const first = counting()
  let opened = await OpenDocuments.open(directory, { wrap: first.wrap })
  try {
    expect(await opened.outcome(create('t-1'), create('t-2'))).toEqual([
      ['created', 1, 0, 201],
      ['created', 1, 1, 201],
    ])
    expect(await opened.outcome(create('t-3'), index(undefined, { without: 'id' }))).toEqual([
      ['created', 1, 2, 201],
      ['created', 1, 3, 201],
    ])
    expect(first.lookups).toBe(0)
    await opened.sources()
    expect(await opened.outcome(create('t-2'), create('t-4'), create('t-4'))).toEqual([
      conflict('t-2'),
      ['created', 1, 4, 201],
      conflict('t-4'),
    ])
    expect(first.lookups).toBe(1)
    await opened.close()
    const second = counting()
    opened = await OpenDocuments.open(directory, { wrap: second.wrap })
    expect(await opened.outcome(create('t-5'))).toEqual([['created', 1, 5, 201]])
    expect(second.lookups).toBe(0)
    expect(await opened.outcome(create('t-4'), create('t-1'), remove('t-3'))).toEqual([
      conflict('t-4'),
      conflict('t-1'),
      ['deleted', 2, 6, 200],
    ])
    expect(second.lookups).toBe(1)
    expect(await opened.outcome(create('t-3'))).toEqual([['created', 3, 7, 201]])
  } finally {
    await opened.close()
  }
})

it('looks for every document of an index whose writes an older program did not note', async () => {
  const directory = directories.next()
  let opened = await OpenDocuments.open(directory)
  try {
    await opened.outcome(create('t-9'))
    await opened.close()
    opened = await OpenDocuments.open(directory)
    const { id } = opened.index('books')
    const lastIds = opened.store.collection('last-ids')
    await opened.store.transaction(() => lastIds.remove(`index:${id}`))
    expect(await opened.outcome(create('t-9'))).toEqual([conflict('t-9')])
    await opened.outcome(create('t-a'))
    await opened.close()
    const second = counting()
    opened = await OpenDocuments.open(directory, { wrap: second.wrap })
    expect(await opened.outcome(create('t-9'), create('t-b'))).toEqual([conflict('t-9'), ['created', 1, 2, 201]])
    expect(second.lookups).toBe(1)
  } finally {
    await opened.close()
  }
})
