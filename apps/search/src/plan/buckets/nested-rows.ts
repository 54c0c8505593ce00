import type { RowField } from '../../dsl/define-aggregation.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { jsonColumns, objectsAt, stepsBelow } from '../../sql/nested-objects.ts'
import { predicateSql, truth } from '../../sql/predicate-to-sql.ts'
import { ident, join, type Sql, sql } from '../../sql/sql.ts'
import type { Leaf } from '../leaves/leaves.ts'
import { pathsBetween } from '../order/nested-sort.ts'
import { type ObjectOrder, objectOrder } from './object-order.ts'
import type { PlannedRows } from './row-source.ts'

/** Rows that are the objects at a path, of documents or of other such objects. */
export interface NestedRows extends PlannedRows, ObjectOrder {
  readonly path: string
  /** The paths that were gone down from the document, this one last. */
  readonly paths: readonly string[]
  /** The object of a row, as JSON. */
  readonly object: Sql
  /** The rows of objects around these, if any. */
  readonly within: NestedRows | undefined
  /** The rows of documents that these came from. */
  readonly documents: PlannedRows
  /** The place of a row among the objects of its document, one number from nought for each of the paths. */
  ordinals(): Sql
}

/** Whether rows are objects within documents. */
export function isNestedRows(rows: PlannedRows): rows is NestedRows {
  return 'documents' in rows
}

/** Makes one row of every object at a path: what a `nested` aggregation counts. Fields outside of the path have no values there. */
export function nestedRows(above: PlannedRows, leaves: readonly Leaf[], path: string, level: string): NestedRows {
  const leaf = leaves.find(({ context }) => context.isNested(path)) ?? leaves[0]
  const start = isNestedRows(above) && path.startsWith(`${above.path}.`) ? above.path : ''
  // Objects are not in themselves.
  if (isNestedRows(above) && path === above.path)
    return objectRows(above, leaves, { path, isEmpty: true, within: undefined, level, leaf })
  // Objects within objects are looked for in each of these by itself.
  const [between] = pathsBetween(start, path).filter((each) => leaf?.context.isNested(each))
  if (between !== undefined) return nestedRows(nestedRows(above, leaves, between, `${level}_`), leaves, path, level)
  return objectRows(above, leaves, {
    path,
    isEmpty: false,
    within: isNestedRows(above) && start !== '' ? above : undefined,
    level,
    leaf,
  })
}

/** The objects at a path, and the rows of objects that these are looked for in. */
interface Below {
  readonly path: string
  readonly isEmpty: boolean
  readonly within: NestedRows | undefined
  readonly level: string
  /** Says how fields are mapped. */
  readonly leaf: Leaf | undefined
}

function objectRows(
  outer: PlannedRows,
  leaves: readonly Leaf[],
  { path, isEmpty, within, level, leaf }: Below,
): NestedRows {
  const documents = isNestedRows(outer) ? outer.documents : outer
  const json = within?.object ?? documents.document().source
  const object = ident(`object${level}`)
  const objects =
    isEmpty || isHidden(leaves, path)
      ? sql`CAST([], 'Array(String)')`
      : objectsAt(json, stepsBelow(path, within?.path ?? ''))
  const projections: Sql[] = []
  const fields = new Map<string, RowField>()
  const project = (prefix: string, expression: Sql): Sql => {
    const alias = ident(`n${level}${prefix}${projections.length}`)
    projections.push(sql`${expression} AS ${alias}`)
    return alias
  }
  const { arrival: _ofDocuments, place: _ofDocument, numbered: _values, newest: _times, ...rest } = outer
  let isNumbered = false
  const number = ident(`nr${level}`)
  const ordinals = (): Sql => {
    isNumbered = true
    const own = sql`toUInt32(${number} - 1)`
    return within ? sql`arrayPushBack(${within.ordinals()}, ${own})` : sql`[${own}]`
  }
  return {
    ...rest,
    path,
    paths: [...(within?.paths ?? []), path],
    object,
    within,
    documents,
    ordinals,
    ...objectOrder({ path, object, documents, leaf, ordinals, project }),
    field(name) {
      const known = fields.get(name)
      if (known) return known
      const field = name.startsWith(`${path}.`) ? leaf?.context.field(name) : undefined
      const made: RowField = field?.valueType
        ? {
            path: name,
            many: true,
            type: field.valueType,
            field,
            sql: project('f', valuesIn(object, { path: field.sourcePath, type: field.valueType }, path)),
          }
        : { path: name, many: false, type: undefined, field: undefined, sql: sql`CAST(NULL, 'Nullable(String)')` }
      fields.set(name, made)
      return made
    },
    matches(query) {
      if (!leaf) return sql`0`
      const predicate = leaf.context.within(path, () => leaf.context.lower(query))
      return project(
        'p',
        truth(predicateSql(predicate, (field) => jsonColumns(object, field, path), { json: object, path })),
      )
    },
    select(around) {
      const read = around && join([around, objects, ...projections], ' ')
      const exploded = explodedRows(outer.select(read), objects, object, isNumbered ? number : undefined)
      return projections.length === 0 ? exploded : sql`SELECT *, ${join(projections, ', ')} FROM (${exploded})`
    },
  }
}

/** A row of each object of rows; `number` is the name of the objects' places, from 1, where these are read. */
function explodedRows(rows: Sql, objects: Sql, object: Sql, number: Sql | undefined): Sql {
  if (!number) return sql`SELECT *, arrayJoin(${objects}) AS ${object} FROM (${rows})`
  const pairs = sql`SELECT *, arrayJoin(arrayZip(${objects}, arrayEnumerate(${objects}))) AS numbered FROM (${rows})`
  return sql`SELECT * EXCEPT numbered, tupleElement(numbered, 1) AS ${object}, tupleElement(numbered, 2) AS ${number} FROM (${pairs})`
}

/** How many objects there are at a path is told to whom the path, or a field below it, is shown. */
function isHidden(leaves: readonly Leaf[], path: string): boolean {
  const hides = ({ scope, indices, context }: Leaf): boolean =>
    indices.some(({ name }) => scope.limitsFields?.(name) === true && !scope.canSeeField(name, path)) &&
    context.within(path, () => context.fieldsMatching(`${path}.*`)).length === 0
  return leaves.some(hides)
}

function valuesIn(object: Sql, field: Parameters<typeof jsonColumns>[1], path: string): Sql {
  const { one, many } = jsonColumns(object, field, path)
  return sql`if(isNotNull(${one}), [assumeNotNull(${one})], ${many ?? sql`[]`})`
}

/** The documents that objects came from, or the objects at a path around them: fields are theirs, each counts once. Throws where there is no such path around them. */
export function reverseRows(outer: PlannedRows, path?: string): PlannedRows & { readonly sequence: Sql } {
  const documents = isNestedRows(outer) ? outer.documents : outer
  const { sequence } = documents.document()
  const select = (around?: Sql) => outer.select(around)
  if (path === undefined) return { ...documents, select, sequence }
  const objects = around(outer, path)
  if (!objects)
    throw illegalArgument(
      `Reverse nested path [${path}] is not a parent of the current nested scope [${isNestedRows(outer) ? outer.path : ''}]`,
    )
  return { ...objects, select, sequence: sql`(${sequence}, ${objects.ordinals()})` }
}

/** The rows of objects at a path among those that rows of objects came from, or these themselves. */
function around(rows: PlannedRows, path: string): NestedRows | undefined {
  for (let each = isNestedRows(rows) ? rows : undefined; each; each = each.within) if (each.path === path) return each
  return undefined
}
