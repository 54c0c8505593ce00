import fc from 'fast-check'
import { expect, it } from 'vitest'
import { locateValue, type SourcePath } from './source-location.ts'

function leaves(value: unknown, path: SourcePath = []): { path: SourcePath; value: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((inner, at) => leaves(inner, [...path, at]))
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

it('finds every value of any JSON, however it is spaced', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      const bytes = Buffer.from(text)
      for (const leaf of leaves(JSON.parse(text))) {
        const place = locateValue(bytes, leaf.path)
        const shown = Buffer.from(JSON.stringify(leaf.value))
        const offset = place?.offset ?? -1
        expect(bytes.subarray(offset, offset + shown.length).equals(shown)).toBe(true)
        const lines = bytes.subarray(0, offset).toString('latin1').split('\n')
        expect(place).toMatchObject({ line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 })
      }
    }),
  )
})
