import { expect, it } from 'vitest'
import type { TableMeta } from '../model/table.ts'
import { LongTexts } from './long-texts.ts'

const table: TableMeta = { id: 1, family: 'f', name: 'events_1', columns: [] }
const mebibyte = 1024 ** 2
const needed = [{ path: 'message', type: 'text', many: false, indexed: true }]

it('asks for an index once a text has brought much and long, over several batches', () => {
  const texts = new LongTexts()
  const half = [{ path: 'message', values: 5_000, bytes: mebibyte / 2 }]
  expect(texts.note(table, half)).toEqual([])
  expect(texts.note({ ...table, id: 2 }, half)).toEqual([])
  expect(texts.note(table, half)).toEqual(needed)
})

it('asks for none for short values, however many, nor for a text that has one', () => {
  const texts = new LongTexts()
  expect(texts.note(table, [{ path: 'user', values: 1_000_000, bytes: 20 * mebibyte }])).toEqual([])
  const column = {
    id: 1,
    path: 'message',
    type: 'text',
    name: 'c1_message',
    manyName: undefined,
    indexed: true,
  } as const
  expect(texts.note({ ...table, columns: [column] }, [{ path: 'message', values: 10, bytes: mebibyte }])).toEqual([])
})

it('asks for no array companion and no keyword of the same path to be indexed instead', () => {
  const texts = new LongTexts()
  const keyword = { id: 1, path: 'message', type: 'string', name: 'c1_message', manyName: undefined } as const
  const given = [{ path: 'message', values: 10, bytes: mebibyte }]
  expect(texts.note({ ...table, columns: [keyword] }, given)).toEqual(needed)
})
