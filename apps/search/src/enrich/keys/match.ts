import { createHash } from 'node:crypto'
import { unfit } from '../../refusals/unfit.ts'
import type { Keying } from './keying.ts'

function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  throw unfit('an object cannot be looked up by a policy of type [match]')
}

/** Of a fixed length, whatever the text's: keys of the store are short. */
function keyOf(value: unknown): readonly string[] {
  return [createHash('sha256').update(textOf(value)).digest('base64url')]
}

/** `match`: values that are the same as texts, as keywords are. */
export const matchKeying: Keying = {
  fieldOf: () => undefined,
  rowKeys: (value) => ({ keys: keyOf(value) }),
  lookupKeys: keyOf,
  values: (given) => [given].flat(Number.POSITIVE_INFINITY).filter((each) => each !== null && each !== undefined),
  relates: false,
}
