import { illegalArgument, ofReduction } from '../../refusals/refuse.ts'
import type { OrderKey } from '../order/order-key.ts'
import type { HitsRequest, LeafOrder } from './hits-request.ts'

/** The order of numbers that are `unsigned_long` in one index and something else in another is refused, as in Elasticsearch: nothing holds them all exactly. */
export function refuseMixedUnsigned(orders: readonly LeafOrder[], { sort }: HitsRequest): void {
  if (orders.length < 2) return
  for (const { field, numericType } of sort) {
    if (numericType !== undefined) continue
    const types = new Set(orders.map(({ leaf }) => leaf.context.field(field)?.wireType))
    types.delete(undefined)
    if (!types.has('unsigned_long') || types.size === 1) continue
    throw ofReduction(
      illegalArgument(
        `Can't do sort across indices, as a field has [unsigned_long] type in one index, and different type in another index!`,
      ),
    )
  }
}

/** Texts of one index and numbers of another have no order: refused as in Elasticsearch, where both have hits. */
export function refuseMixedKinds([one, ...others]: readonly LeafOrder[], { sort }: HitsRequest): void {
  for (const [at, { field }] of sort.entries()) {
    const other = others.find(({ keys }) => keys[at]?.kind !== one?.keys[at]?.kind)
    if (one === undefined || other === undefined) continue
    const [type, otherType] = [one, other].map(({ keys, leaf }) =>
      sortType(keys[at], leaf.context.field(field)?.wireType),
    )
    throw ofReduction(
      illegalArgument(
        `Can't sort on field [${field}]; the field has incompatible sort types: [${type}] and [${otherType}] across shards!`,
      ),
    )
  }
}

const isInt = (wireType: string | undefined) => wireType === 'integer' || wireType === 'short' || wireType === 'byte'

/** What Lucene calls the values of an order. */
function sortType(key: OrderKey | undefined, wireType: string | undefined): string {
  if (key?.kind === 'text') return 'STRING'
  if (key?.numbers !== 'double') return isInt(wireType) ? 'INT' : 'LONG'
  return wireType === 'float' || wireType === 'half_float' ? 'FLOAT' : 'DOUBLE'
}
