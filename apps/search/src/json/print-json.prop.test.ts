import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Double, JsonPiece, printJson } from './print-json.ts'

it('prints what JSON has as the platform does, members without a value left out', () => {
  const value = fc.anything({
    withDate: false,
    withMap: false,
    withSet: false,
    withBigInt: false,
    values: jsonValues(),
  })
  fc.assert(
    fc.property(value, (given) => {
      expect(printJson(given)).toBe(JSON.stringify(given) ?? 'null')
    }),
  )
})

it('prints digits, doubles and pieces inside lists and objects', () => {
  const given = {
    'a"b': [18446744073709551615n, new Double(3), Number.NaN],
    piece: new JsonPiece('{"x":1}'),
    none: undefined,
  }
  expect(printJson(given)).toBe('{"a\\"b":[18446744073709551615,3.0,null],"piece":{"x":1}}')
})

it('prints more names than it keeps', () => {
  const given = Object.fromEntries(Array.from({ length: 2_500 }, (_, at) => [`name ${at}`, at]))
  expect(printJson([given, given])).toBe(JSON.stringify([given, given]))
})

function jsonValues(): fc.Arbitrary<unknown>[] {
  return [fc.string({ unit: 'binary' }), fc.double(), fc.integer(), fc.boolean(), fc.constantFrom(null, undefined)]
}
