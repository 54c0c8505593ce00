import type { EsqlAggregate } from '../define-aggregate.ts'
import { countAggregates } from './counts.ts'
import { listAggregates } from './lists.ts'
import { numberAggregates } from './numbers.ts'
import { percentileAggregates } from './percentiles.ts'
import { pointAggregates } from './points.ts'

/** All aggregate functions, by name. A new family is one file and one line here. */
const families: readonly (readonly EsqlAggregate[])[] = [
  countAggregates,
  numberAggregates,
  percentileAggregates,
  listAggregates,
  pointAggregates,
]

export const aggregateFunctions: ReadonlyMap<string, EsqlAggregate> = new Map(
  families.flat().map((each) => [each.name, each] as const),
)
