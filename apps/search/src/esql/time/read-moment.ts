import { dateFormat, defaultDateNanosFormat } from '../../dates/date-format.ts'

/** A moment that a text of the query says, in nanoseconds of the epoch; undefined where it says none. */
export function readMoment(text: string): bigint | undefined {
  const [iso = ''] = defaultDateNanosFormat.split('||')
  const instant = dateFormat(iso).parse(text)
  return instant && BigInt(instant.ms) * 1_000_000n + BigInt(instant.nanos)
}
