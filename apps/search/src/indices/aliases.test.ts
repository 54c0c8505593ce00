import { expect, it } from 'vitest'
import type { AliasMeta, IndexMeta } from '../model/index-meta.ts'
import { applyAliasChanges, checkWriteIndices } from './aliases.ts'
import type { CatalogueState } from './catalogue-state.ts'

/** A state of indices with these aliases, and how often the aliases of one were read. */
function stateOf(all: Readonly<Record<string, Readonly<Record<string, AliasMeta>>>>) {
  const read = { count: 0 }
  const indices = Object.entries(all).map(([name, aliases], id): IndexMeta => {
    const index = { id, name, dataStream: undefined }
    return Object.defineProperty(index, 'aliases', {
      enumerable: true,
      get: () => {
        read.count += 1
        return aliases
      },
    }) as unknown as IndexMeta
  })
  const byName = new Map(indices.map((index) => [index.name, index]))
  const byId = new Map(indices.map((index) => [index.id, index]))
  const state = { byName, byId, streams: new Map() } as unknown as CatalogueState
  return { state, indices, read }
}

const written: AliasMeta = { is_write_index: true }
const [some, many] = [100, 1000].map((count) => Array.from({ length: count }, (_, at) => `n${at}`)) as [
  string[],
  string[],
]

it('refuses a second write index of an alias, whichever change makes it one', () => {
  const { state, indices } = stateOf({ a: { x: written, y: {} }, b: { x: {}, y: written }, c: {} })
  const [a, b, c] = indices as [IndexMeta, IndexMeta, IndexMeta]
  const both = 'alias [x] has more than one write index [a,c]'
  expect(() => applyAliasChanges(state, [{ index: c, alias: 'x', meta: written }])).toThrow(both)
  const moved = applyAliasChanges(state, [
    { index: c, alias: 'x', meta: written },
    { index: a, alias: 'x', meta: undefined },
    { index: b, alias: 'z', meta: {} },
  ])
  expect(moved.map(({ aliases }) => aliases)).toEqual([{ x: written }, { y: {} }, { x: {}, y: written, z: {} }])
})

it('looks at each index once, however many aliases change', () => {
  const { state, indices, read } = stateOf(Object.fromEntries(many.map((name) => [name, { [`of-${name}`]: written }])))
  const [first] = indices as [IndexMeta]
  applyAliasChanges(
    state,
    some.map((alias) => ({ index: first, alias: `x-${alias}`, meta: written })),
  )
  expect(read.count).toBeLessThan(2 * many.length + some.length)
  read.count = 0
  checkWriteIndices(state, [first])
  expect(read.count).toBeLessThan(2 * many.length)
})
