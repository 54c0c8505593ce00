import { expect, it } from 'vitest'
import type { Leaf } from '../leaves/leaves.ts'
import { AheadMemory, LookAhead } from './look-ahead.ts'

const leaf = { indices: [{ id: 1 }], table: { id: 1 }, filters: '' } as unknown as Leaf

it('keeps nothing of a page that was read beside another one of the same scroll', () => {
  const ahead = new LookAhead(new AheadMemory())
  const [fifth, sixth] = [[5n], [6n]]
  ahead.shown(new Map(), fifth)
  ahead.next(leaf, fifth, 1)
  ahead.found(leaf, Float64Array.of(6, 7, 8, 9), false)
  // A slow page, begun earlier.
  ahead.found(leaf, Float64Array.of(1, 2, 3, 4), false)
  ahead.shown(new Map([[leaf, 6]]), sixth)
  expect(ahead.next(leaf, sixth, 1)).toBeUndefined()
})
