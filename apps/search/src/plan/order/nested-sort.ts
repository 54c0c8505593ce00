import { AppError, searchErrors } from '@logstack/errors'
import type { LowerContext } from '../../dsl/define-query.ts'
import type { SearchableField } from '../../dsl/shapes/field-value.ts'
import { eachLevel, type NestedSort } from '../../dsl/sort/nested-sort.ts'
import type { SortCriterion } from '../../dsl/sort/read-sort.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { FieldColumns } from '../../sql/field-columns.ts'
import { jsonColumns, objectsAt, stepsBelow } from '../../sql/nested-objects.ts'
import { type ColumnLookup, columnsOf, predicateSql, truth } from '../../sql/predicate-to-sql.ts'
import { ident, num, type Sql, sql } from '../../sql/sql.ts'

/** Where rows are objects within documents: the object of a row as JSON, at the path that the context is within. */
export type RowObject = Sql

/**
 * The values of a field that a criterion sorts by: of a field of `nested` objects those of the objects that it names. Undefined where there are none.
 * Throws `query_shard_exception` where it does not say which objects.
 */
export function sortColumns(
  criterion: SortCriterion,
  field: SearchableField,
  context: LowerContext,
  lookup: ColumnLookup,
  object?: RowObject,
): FieldColumns | undefined {
  const { nested } = criterion
  const own = columnsOf({ path: field.path, type: field.valueType }, lookup)
  const root = nestedRoot(field, context)
  if (nested === undefined) {
    if (root !== undefined && context.inside() === '')
      throw new AppError(
        searchErrors.query_shard_exception,
        `it is mandatory to set the [nested] context on the nested sort field: [${field.path}].`,
        { detail: { index: context.reportedIndex } },
      )
    return own
  }
  if (criterion.mode === 'median') throw illegalArgument('Unsupported sort mode: MEDIAN')
  let last = ''
  eachLevel(nested, context, ({ path }) => {
    last = path
  })
  if (object) {
    const above = context.inside()
    const isBelow = last.startsWith(`${above}.`) && field.sourcePath.startsWith(`${last}.`)
    return isBelow ? valuesOfObjects(nested, field, context, { path: above, json: object }) : undefined
  }
  // What stands in no object, or not in those that are looked at, is none of their values.
  if (last === '' || root === undefined || !field.sourcePath.startsWith(`${last}.`)) return undefined
  return own && limitsObjects(nested) ? valuesOfObjects(nested, field, context) : own
}

/** The outermost path above a field whose objects are kept apart. */
function nestedRoot({ sourcePath }: SearchableField, context: LowerContext): string | undefined {
  const steps = sourcePath.split('.')
  return steps
    .slice(0, -1)
    .map((_, at) => steps.slice(0, at + 1).join('.'))
    .find((path) => context.isNested(path))
}

function limitsObjects({ filter, childrenMax, inner }: NestedSort): boolean {
  return filter !== undefined || childrenMax !== undefined || (inner !== undefined && limitsObjects(inner))
}

/** The values are read out of the documents' sources: columns do not tell which object a value is of. */
function valuesOfObjects(
  nested: NestedSort,
  field: SearchableField,
  context: LowerContext,
  from: { readonly path: string; readonly json: Sql } = { path: '', json: ident('_source') },
): FieldColumns {
  let objects = sql`[${from.json}]`
  let above = from.path
  eachLevel(nested, context, ({ path, filter, childrenMax }) => {
    if (path === above) return
    for (const each of [...pathsBetween(above, path).filter((between) => context.isNested(between)), path]) {
      objects = sql`arrayFlatten(arrayMap(o -> ${objectsAt(sql`o`, stepsBelow(each, above))}, ${objects}))`
      above = each
    }
    if (filter !== undefined)
      objects = sql`arrayFilter(${ident(`o_${path}`)} -> ${holds(filter, path, context)}, ${objects})`
    if (childrenMax !== undefined) objects = sql`arraySlice(${objects}, 1, ${num(childrenMax)})`
  })
  const { one, many = sql`[]` } = jsonColumns(sql`o`, { path: field.sourcePath, type: field.valueType }, above)
  const values = sql`arrayConcat(if(isNull(${one}), [], [assumeNotNull(${one})]), ${many})`
  return { one: sql`NULL`, many: sql`arrayFlatten(arrayMap(o -> ${values}, ${objects}))` }
}

function holds(filter: unknown, path: string, context: LowerContext): Sql {
  const object = ident(`o_${path}`)
  const predicate = context.within(path, () => context.lower(filter))
  const within: ColumnLookup = (field) => jsonColumns(object, field, path)
  return truth(predicateSql(predicate, within, { json: object, path }))
}

/** The paths between two, outermost first, without either. */
export function pathsBetween(above: string, path: string): string[] {
  const steps = path.split('.')
  return steps
    .slice(0, -1)
    .map((_, at) => steps.slice(0, at + 1).join('.'))
    .filter((each) => above === '' || each.startsWith(`${above}.`))
}
