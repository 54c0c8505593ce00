import { isAppError } from '@logstack/errors'
import { parseIp } from '@logstack/rules'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fieldTypes } from './index.ts'
import { ipField } from './ip.ts'

it('no leaf makes a type throw anything but an AppError', () => {
  fc.assert(
    fc.property(fc.constantFrom(...fieldTypes), fc.jsonValue(), fc.boolean(), (type, leaf, coerce) => {
      const field = {
        path: 'f',
        sourcePath: 'f',
        wireType: type.name,
        valueType: type.valueType,
        parameters: { coerce, scaling_factor: 10 },
      }
      try {
        const parsed = type.parse(leaf, field)
        if ('value' in parsed)
          expect(['string', 'number', 'bigint', 'boolean']).toContain(typeof type.show(parsed.value, field))
      } catch (thrown) {
        if (!isAppError(thrown)) throw thrown
      }
    }),
    { numRuns: 2000 },
  )
})

it('an address keeps its meaning in canonical form', () => {
  const field = { path: 'f', sourcePath: 'f', wireType: 'ip', valueType: 'ip', parameters: {} } as const
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const canonical = String(ipField.queryValue(text, field))
      expect(parseIp(canonical)).toBe(parseIp(text))
      expect(ipField.queryValue(canonical, field)).toBe(canonical)
    }),
  )
})
