import { geoMatchKeying } from './geo-match.ts'
import type { Keying } from './keying.ts'
import { matchKeying } from './match.ts'
import { rangeKeying } from './range.ts'

/** The types of policies. */
export const keyings = {
  geo_match: geoMatchKeying,
  match: matchKeying,
  range: rangeKeying,
} as const satisfies Readonly<Record<string, Keying>>
