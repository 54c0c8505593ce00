import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonWriter } from './json-writer.ts'

const written = fc.oneof(
  fc.record({ as: fc.constant('string' as const), value: fc.string({ unit: 'binary' }) }),
  fc.record({ as: fc.constant('string' as const), value: fc.string({ maxLength: 9000 }) }),
  fc.record({ as: fc.constant('whole' as const), value: fc.maxSafeNat() }),
)

it('writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.array(written), (values) => {
      const bytes = new JsonWriter()
      for (const one of values) {
        if (one.as === 'string') bytes.string(one.value)
        else bytes.whole(one.value)
        bytes.raw(Buffer.from('\n'))
      }
      expect(bytes.bytes().toString()).toBe(values.map(({ value }) => `${JSON.stringify(value)}\n`).join(''))
    }),
  )
})
