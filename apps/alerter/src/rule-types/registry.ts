import { any } from './any.ts'
import { blacklist } from './blacklist.ts'
import { cardinality } from './cardinality.ts'
import { change } from './change.ts'
import type { RuleType } from './define-rule-type.ts'
import { flatline } from './flatline.ts'
import { frequency } from './frequency.ts'
import { metricAggregation } from './metric-aggregation.ts'
import { newTerm } from './new-term.ts'
import { percentageMatch } from './percentage-match.ts'
import { spike } from './spike.ts'
import { spikeAggregation } from './spike-aggregation.ts'
import { whitelist } from './whitelist.ts'

const all: readonly RuleType[] = [
  any,
  blacklist,
  whitelist,
  change,
  frequency,
  spike,
  flatline,
  newTerm,
  cardinality,
  metricAggregation,
  spikeAggregation,
  percentageMatch,
]

/** Types that ask search for aggregations of windows of time, not for events. */
export const windowTypes: ReadonlySet<string> = new Set(
  [metricAggregation, spikeAggregation, percentageMatch].map(({ name }) => name),
)

/** Every rule type by its wire name: one line each. */
export const ruleTypes: ReadonlyMap<string, RuleType> = new Map(all.map((type) => [type.name, type]))
