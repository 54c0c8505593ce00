import { illegalArgument } from '../refusals/refuse.ts'
import { readTime } from '../values/unit-values.ts'
import { acceptedSettings } from './accepted.ts'
import type { KeptSettings } from './change.ts'
import { steeringSettings } from './steering.ts'

const usual = 'search.default_keep_alive'
const longest = 'search.max_keep_alive'

/**
 * Throws `illegal_argument_exception`, in Elasticsearch's words, when a change makes the usual life of a scroll longer than the longest. Both are all
 * settings, transient over persistent. What an older version took so is let be, so that other settings can still be changed.
 */
export function checkKeepAlives(before: KeptSettings, after: KeptSettings): void {
  const changes = [usual, longest].some((name) => before[name] !== after[name])
  const standard = after[usual] ?? acceptedSettings[usual]?.[1] ?? ''
  const most = after[longest] ?? steeringSettings[longest].standard
  if (!changes || readTime(usual, standard) <= readTime(longest, most)) return
  throw illegalArgument(
    `Default keep alive setting for request [${usual}][${standard}] should be smaller than max keep alive [${longest}][${most}], was (${standard} > ${most})`,
  )
}
