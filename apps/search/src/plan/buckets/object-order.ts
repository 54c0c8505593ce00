import type { RowSource } from '../../dsl/define-aggregation.ts'
import type { SortCriterion } from '../../dsl/sort/read-sort.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { jsonColumns } from '../../sql/nested-objects.ts'
import type { ColumnLookup } from '../../sql/predicate-to-sql.ts'
import { join, type Sql, sql } from '../../sql/sql.ts'
import type { Leaf } from '../leaves/leaves.ts'
import { type FirstBy, firstObjects } from '../order/first-places.ts'
import { pathsBetween } from '../order/nested-sort.ts'
import { arrivalKey, orderKey, scoreKey } from '../order/order.ts'
import type { OrderKey } from '../order/order-key.ts'
import type { PlannedRows } from './row-source.ts'

/** Which objects come first. */
export interface ObjectOrder extends Pick<RowSource, 'firstPlaces'> {
  /** What the objects are ordered by, one key a criterion. */
  orderKeys(sort: readonly SortCriterion[]): readonly OrderKey[]
}

/** Rows that are the objects at a path, as far as they are ordered. */
interface OrderedObjects {
  readonly path: string
  readonly object: Sql
  readonly documents: PlannedRows
  /** Says how their fields are mapped; undefined where nothing is searched. */
  readonly leaf: Leaf | undefined
  ordinals(): Sql
  project(prefix: string, expression: Sql): Sql
}

/** Finds the first objects of groups; of each the row tells its ordinals, the texts of the values it is ordered by, and its JSON. */
export function objectOrder(rows: OrderedObjects): ObjectOrder {
  const { leaf, object, ordinals, project } = rows
  const orderKeys: ObjectOrder['orderKeys'] = (sort) =>
    leaf ? sort.map((criterion) => objectKey(criterion, leaf, rows)) : []
  return {
    orderKeys,
    firstPlaces(sort, most) {
      const keys = orderKeys(sort)
      const order = sort.flatMap(({ descending, missing }, at): FirstBy[] => {
        const key = keys[at]
        return key ? [{ descending, missingFirst: missing === '_first', keys: [key] }] : []
      })
      const values = keys.map((key) => sql`ifNull(concat('=', toString(${key.sql})), '')`)
      const told = [ordinals(), sql`CAST([${join(values, ', ')}], 'Array(String)')`, object]
      const placed = { place: placeOf(rows), ordinals: ordinals(), told }
      return firstObjects(order, placed, most, (prefix, [value = sql`NULL`]) => project(prefix, value))
    },
  }
}

/** Where the document of an object is, as a tuple of leaf and sequence number. */
function placeOf({ documents }: OrderedObjects): Sql {
  if (!documents.place) throw new Error('BUG: objects of what is no document')
  return documents.place()
}

/** A criterion's key: of the object's own values, or of the score or the arrival of its document. Throws for what is known of whole documents alone. */
function objectKey(criterion: SortCriterion, { context }: Leaf, rows: OrderedObjects): OrderKey {
  const { path, object, documents } = rows
  const { field: name, descending, script, distance } = criterion
  if (name === '_score') return scoreKey(descending, documents.score())
  if (name === '_doc') return { ...arrivalKey(descending), sql: sql`tupleElement(${placeOf(rows)}, 2)` }
  if (script || distance || name.startsWith('_'))
    throw illegalArgument(`[sort] by [${distance ? '_geo_distance' : name}] is not supported within [nested]`)
  const lookup: ColumnLookup = ({ path: asked, type }) => {
    const source = context.field(asked)?.sourcePath ?? asked
    const isOwn = source.startsWith(`${path}.`) && !pathsBetween(path, source).some((each) => context.isNested(each))
    return isOwn ? jsonColumns(object, { path: source, type }, path) : undefined
  }
  return context.within(path, () => orderKey(criterion, context, lookup, 1, object))
}
