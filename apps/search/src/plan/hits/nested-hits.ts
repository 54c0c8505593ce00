import { compareValues, evaluate, leavesAt, readValue, type Value, type ValueType } from '@logstack/rules'
import type { LowerContext } from '../../dsl/define-query.ts'
import type { NestedHits } from '../../dsl/inner-hits.ts'
import { readSearchRequest, type SearchRequest } from '../../dsl/search-request.ts'
import type { SortCriterion } from '../../dsl/sort/read-sort.ts'
import { printDouble, printJson } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { sql } from '../../sql/sql.ts'
import { orderKey } from '../order/order.ts'
import { highlightTerms } from './highlight.ts'
import type { Hit } from './hit.ts'
import { renderObject } from './object-hits.ts'

/** The default of `index.max_inner_result_window`. */
const innerWindowMax = 100

/** An object of a document, and where it stands: its place among those at each nested path above it. */
interface Inner {
  readonly object: unknown
  readonly places: readonly { readonly path: string; readonly offset: number }[]
}

/** The inner hits of a document as JSON members by their names: the objects that nested clauses matched. */
export function nestedHits(hit: Hit, source: unknown, totalAsInteger: boolean): string[] {
  return hit.leaf.nestedHits.map((asked) => {
    const request = readSearchRequest(asked.body)
    checkInnerWindow(asked.name, request)
    const { context } = hit.leaf
    const matching = objectsAt(source, asked.path, context).filter(({ object }) =>
      evaluate(asked.of, { [asked.path]: object }, { _id: hit.id }),
    )
    const sorted = inOrder(matching, asked, request.sort, context)
    const shown = sorted.slice(request.from, request.from + request.size)
    const sortOf = sortShown(hit, asked, request.sort)
    const total = totalAsInteger ? matching.length : { value: matching.length, relation: 'eq' }
    const best = shown.length === 0 || request.sort.length > 0 ? 'null' : printDouble(1)
    const terms = highlightTerms([asked.of])
    const view = { score: request.sort.length > 0 ? undefined : 1, showsId: true, showsSequence: true, terms }
    const hits = shown.map((inner) => {
      const { object, places } = inner
      const shownObject = { hit, path: asked.path, places, text: JSON.stringify(object), sort: sortOf(inner) }
      return renderObject(shownObject, request, view)
    })
    return `${JSON.stringify(asked.name)}:{"hits":{"total":${printJson(total)},"max_score":${best},"hits":[${hits.join(',')}]}}`
  })
}

/** Throws `illegal_argument_exception` where more inner hits are asked for than may be. */
export function checkInnerWindow(name: string, { from, size }: SearchRequest): void {
  if (from + size > innerWindowMax)
    throw illegalArgument(
      `Inner result window is too large, the inner hit definition's [${name}]'s from + size must be less than or equal to: [${innerWindowMax}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
    )
}

/** The objects at a nested path with their places. */
function objectsAt(source: unknown, path: string, context: LowerContext): readonly Inner[] {
  const steps = path.split('.')
  let found: readonly Inner[] = [{ object: source, places: [] }]
  let from = 0
  for (let to = 1; to <= steps.length; to++) {
    const own = steps.slice(0, to).join('.')
    if (to < steps.length && !context.isNested(own)) continue
    const below = steps.slice(from, to).join('.')
    found = found.flatMap(({ object, places }) =>
      leavesAt(object, below).map((inner, offset) => ({
        object: inner,
        places: [...places, { path: below, offset }],
      })),
    )
    from = to
  }
  return found
}

function inOrder(
  found: readonly Inner[],
  { path }: NestedHits,
  sort: readonly SortCriterion[],
  context: LowerContext,
): readonly Inner[] {
  if (sort.length === 0) return found
  if (sort.some(({ nested }) => nested?.filter !== undefined))
    throw illegalArgument('[nested] of [sort] supports no [filter] within [inner_hits]')
  const whole = sort.find(({ script, distance }) => script !== undefined || distance !== undefined)
  if (whole)
    throw illegalArgument(
      `[sort] by [${whole.script ? '_script' : '_geo_distance'}] is not supported within [inner_hits]`,
    )
  const keyed = found.map((inner) => ({ inner, keys: sort.map((criterion) => keyOf(inner, path, criterion, context)) }))
  keyed.sort((a, b) => {
    for (const [at, criterion] of sort.entries()) {
      const order = compareKeys(a.keys[at], b.keys[at], criterion)
      if (order !== 0) return order
    }
    return 0
  })
  return keyed.map(({ inner }) => inner)
}

/** Shows what an object is sorted by, as JSON. Throws for a field that cannot be sorted by. */
function sortShown(
  hit: Hit,
  { path }: NestedHits,
  sort: readonly SortCriterion[],
): (inner: Inner) => readonly string[] {
  const { context } = hit.leaf
  const shows = context.within(path, () =>
    sort.map((criterion): ((inner: Inner) => string) => {
      if (criterion.field === '_score') return () => printDouble(1)
      if (criterion.field === '_doc') return () => String(hit.values.at(-1))
      // The values are read from the object here: no column is.
      const key = orderKey(criterion, context, () => undefined, 1, sql`''`)
      const replaced = criterion.missing === '_first' || criterion.missing === '_last' ? null : criterion.missing
      const none = key.given(key.kind === 'text' ? replaced : null)
      return (inner) => {
        const value = keyOf(inner, path, criterion, context)?.value
        return key.show(value === undefined ? none : typeof value === 'boolean' ? Number(value) : value)
      }
    }),
  )
  return (inner) => shows.map((show) => show(inner))
}

type Key = { readonly value: Value; readonly type: ValueType } | undefined

/** The value an object is sorted by; undefined when it has none. */
function keyOf({ object }: Inner, path: string, { field: name, mode }: SortCriterion, context: LowerContext): Key {
  const type = context.field(name)?.valueType
  if (type === undefined) return undefined
  const values = leavesAt({ [path]: object }, name).flatMap((leaf) => readValue(leaf, type) ?? [])
  values.sort((a, b) => compareValues(a, b, type))
  const value = mode === 'max' ? values.at(-1) : values[0]
  return value === undefined ? undefined : { value, type }
}

function compareKeys(a: Key, b: Key, { missing, descending }: SortCriterion): number {
  if (a && b) return compareValues(a.value, b.value, a.type) * (descending ? -1 : 1)
  if (!a && !b) return 0
  return (a ? -1 : 1) * (missing === '_first' ? -1 : 1)
}
