import { alongTime } from './along-time.ts'
import { arithmetic } from './arithmetic.ts'
import { chart } from './chart.ts'
import { condition } from './condition.ts'
import { defineChainable, type TimelionFunction } from './define.ts'
import { holt } from './holt.ts'
import { look } from './look.ts'
import { moving } from './moving.ts'
import { sources } from './sources.ts'
import { trend } from './trend.ts'

/** Kibana's own, which does nothing. */
const first = defineChainable('first', {}, (series) => series)

const all = [...sources, ...alongTime, ...arithmetic, ...chart, condition, first, holt, ...look, ...moving, trend]

/** All functions of the language, by their words and their other words. */
export const timelionFunctions: ReadonlyMap<string, TimelionFunction> = new Map(
  all.flatMap((one) => [one.name, ...one.aliases].map((name) => [name, one] as const)),
)
