import { expect, it } from 'vitest'
import type { IndexMeta } from '../model/index-meta.ts'
import type { TableMeta } from '../model/table.ts'
import { TableContents } from './table-contents.ts'

const table = { id: 1, name: 'events_1' } as TableMeta
const commit = (index: number, seq: number) => ({
  record: { seq, segments: [{ tableId: 1, lastSeq: seq }], dead: [] } as never,
  nextSeqNos: new Map([[index, 1]]),
})

it('keeps an index that was deleted while its rows were on their way to the engine', async () => {
  const known = new Set([1, 2])
  const answers: ((rows: unknown[][]) => void)[] = []
  let nowMs = 0
  const contents = new TableContents({
    engine: { rows: () => new Promise((resolve) => answers.push(resolve)) },
    catalogue: { indexById: (id) => (known.has(id) ? ({ id, table: 1 } as IndexMeta) : undefined) },
    now: () => nowMs,
    isPending: () => false,
  })
  const answer = async (rows: unknown[][]): Promise<void> => {
    answers.shift()?.(rows)
    await Promise.resolve()
  }
  contents.inserting([commit(1, 1), commit(2, 2)])
  expect(contents.holdsOnly(table, [1, 2])).toBe(false)
  await answer([[1], [2]])
  expect(contents.holdsOnly(table, [1, 2])).toBe(true)
  // The rows of the second are deleted with it, and one more comes after the engine looked and before it has answered.
  known.delete(2)
  nowMs += 600_000
  expect(contents.holdsOnly(table, [1])).toBe(false)
  contents.inserting([commit(2, 3)])
  await answer([[1]])
  expect(contents.holdsOnly(table, [1])).toBe(false)
  // Once it is gone from the engine it is forgotten.
  nowMs += 600_000
  expect(contents.holdsOnly(table, [1])).toBe(false)
  await answer([[1]])
  expect(contents.holdsOnly(table, [1])).toBe(true)
})
