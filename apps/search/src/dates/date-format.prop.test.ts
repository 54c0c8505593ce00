import { isAppError } from '@logstack/errors'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dateFormat, defaultDateFormat, timeZone } from './date-format.ts'
import { evaluateDateMath } from './date-math.ts'

const patterns = [
  'strict_date_optional_time',
  'date_optional_time',
  'epoch_millis',
  'epoch_second',
  'basic_date_time',
  'date_time',
  'ordinal_date_time',
  'week_date_time',
  'yyyy-MM-dd HH:mm:ss.SSS',
  'dd/MMM/yyyy:HH:mm:ss.SSS Z',
  'yyyyMMddHHmmssSSS',
  'h:mm:ss.SSS a EEEE d MMMM yyyy',
]

it('what a format prints it reads back', () => {
  const moment = fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31) })
  fc.assert(
    fc.property(fc.constantFrom(...patterns), moment, (pattern, ms) => {
      const format = dateFormat(pattern)
      expect(format.parse(format.print({ ms, nanos: 0 }))).toEqual({ ms, nanos: 0 })
    }),
  )
})

it('agrees with the platform about every ISO moment', () => {
  fc.assert(
    fc.property(
      fc.date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      }),
      (date) => {
        expect(dateFormat(defaultDateFormat).parse(date.toISOString())?.ms).toBe(date.getTime())
      },
    ),
  )
})

it('prints ISO moments as the pattern of the same form does, in every zone', () => {
  const pattern = dateFormat("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
  const zones = ['Z', '+05:30', '-11:00', '+01:00:30', 'Europe/Berlin', 'America/St_Johns', 'Africa/Monrovia']
  const moment = fc.integer({ min: Date.UTC(-20, 0, 1), max: Date.UTC(10_010, 0, 1) })
  fc.assert(
    fc.property(fc.constantFrom(...zones), moment, (zone, ms) => {
      const instant = { ms, nanos: 0 }
      expect(dateFormat('iso8601').print(instant, timeZone(zone))).toBe(pattern.print(instant, timeZone(zone)))
    }),
    { numRuns: 1_000 },
  )
})

it('never throws what is unknown, for any text, pattern or math', () => {
  const anything = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."yMdHhmsSZXaE'[]-:./+| 0129nowT") }))
  fc.assert(
    fc.property(anything, anything, (pattern, text) => {
      try {
        const format = dateFormat(pattern)
        format.parse(text)
        format.print({ ms: 0, nanos: 0 })
        evaluateDateMath(`now${text}`, { format, nowMs: 0 })
      } catch (thrown) {
        expect(isAppError(thrown)).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})
