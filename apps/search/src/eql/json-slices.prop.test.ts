import fc from 'fast-check'
import { expect, it } from 'vitest'
import { itemsOf, membersOf, type Slice } from './json-slices.ts'

const whole: Slice = { from: 0, to: 0 }
const cut = (text: string) => (slice: Slice) => JSON.parse(text.slice(slice.from, slice.to)) as unknown

it('finds the values of objects and lists, however they are written', () => {
  const value = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), value),
      fc.array(value),
      fc.constantFrom(undefined, 2, '\t'),
      (object, list, space) => {
        const text = JSON.stringify(object, undefined, space)
        const members = [...membersOf(text, whole)].map(([name, slice]) => [name, cut(text)(slice)])
        expect(members).toEqual(Object.entries(JSON.parse(text) as object))
        const listed = JSON.stringify(list, undefined, space)
        expect(itemsOf(listed, whole).map(cut(listed))).toEqual(JSON.parse(listed))
      },
    ),
  )
})
