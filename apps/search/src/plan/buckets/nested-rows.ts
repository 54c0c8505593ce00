import type { RowField } from '../../dsl/define-aggregation.ts'
import { jsonColumns, objectsAt, stepsBelow } from '../../sql/nested-objects.ts'
import { predicateSql, truth } from '../../sql/predicate-to-sql.ts'
import { ident, join, type Sql, sql } from '../../sql/sql.ts'
import type { Leaf } from '../leaves/leaves.ts'
import type { PlannedRows } from './row-source.ts'

/** Rows that are the objects at a path, of documents or of other such objects. */
export interface NestedRows extends PlannedRows {
  readonly path: string
  /** The object of a row, as JSON. */
  readonly object: Sql
  /** The rows of documents that these came from. */
  readonly documents: PlannedRows
}

/** Whether rows are objects within documents. */
export function isNestedRows(rows: PlannedRows): rows is NestedRows {
  return 'documents' in rows
}

/** Makes one row of every object at a path: what a `nested` aggregation counts. Fields outside of the path have no values there. */
export function nestedRows(outer: PlannedRows, leaves: readonly Leaf[], path: string, level: number): NestedRows {
  const documents = isNestedRows(outer) ? outer.documents : outer
  const within = isNestedRows(outer) && path.startsWith(`${outer.path}.`) ? outer : undefined
  const json = within?.object ?? documents.document().source
  const object = ident(`object${level}`)
  const objects = isHidden(leaves, path)
    ? sql`CAST([], 'Array(String)')`
    : objectsAt(json, stepsBelow(path, within?.path ?? ''))
  const projections: Sql[] = []
  const fields = new Map<string, RowField>()
  const project = (prefix: string, expression: Sql): Sql => {
    const alias = ident(`n${level}${prefix}${projections.length}`)
    projections.push(sql`${expression} AS ${alias}`)
    return alias
  }
  const [leaf] = leaves
  const {
    arrival: _ofDocuments,
    place: _ofDocument,
    firstPlaces: _documents,
    numbered: _values,
    newest: _times,
    ...rest
  } = outer
  return {
    ...rest,
    path,
    object,
    documents,
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
            sql: project('f', valuesIn(object, { path: field.path, type: field.valueType }, path)),
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
      const exploded = sql`SELECT *, arrayJoin(${objects}) AS ${object} FROM (${outer.select(read)})`
      return projections.length === 0 ? exploded : sql`SELECT *, ${join(projections, ', ')} FROM (${exploded})`
    },
  }
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

/** The documents that objects came from: fields are theirs, each document counts once. */
export function reverseRows(outer: PlannedRows): PlannedRows & { readonly sequence: Sql } {
  const documents = isNestedRows(outer) ? outer.documents : outer
  const { sequence } = documents.document()
  return { ...documents, select: (around) => outer.select(around), sequence }
}
