import { joinField, parentField, parentOf, parentPath, relationsOf } from '../../indices/field-types/join.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { join as joinSql, type Sql, sql, str } from '../../sql/sql.ts'
import { isNestedRows } from './nested-rows.ts'
import type { PlannedRows } from './row-source.ts'

/** Which documents take the place of those they are joined to: `type` is the relation of the children. */
export interface JoinedSource {
  readonly others: 'children' | 'parent'
  readonly type: string
}

/**
 * The documents joined to rows, among `everything` the caller may see of the same indices and snapshot, in one statement. Of parents `sequence` tells which they are: several
 * rows may have the same one. There are none where no index has the relation.
 */
export function joinedSource(
  outer: PlannedRows,
  everything: PlannedRows,
  { others, type }: JoinedSource,
): PlannedRows & { readonly sequence?: Sql } {
  const documents = isNestedRows(outer) ? outer.documents : outer
  const ends = endsOf(everything, type)
  if (ends.length === 0) return { ...outer, select: (around) => sql`SELECT * FROM (${outer.select(around)}) WHERE 0` }
  const [above, below] = others === 'children' ? [documents, everything] : [everything, documents]
  const byId = keyOf(above.document().index, above.document().id)
  const byParent = keyOf(below.document().index, parentsOf(below, ends, type))
  const isParent = either(ends.map((end) => isOf(above, end, type, end.parent)))
  const isChild = either(ends.map((end) => isOf(below, end, type, type)))
  const [own, theirs] = others === 'children' ? [byId, byParent] : [byParent, byId]
  const [isOwn, isTheirs] = others === 'children' ? [isParent, isChild] : [isChild, isParent]
  const { sequence } = everything.document()
  // Which rows are the newest, and how their values are numbered, is known of rows of a table alone.
  const { newest: _times, numbered: _values, ...rest } = everything
  return {
    ...rest,
    ...(others === 'parent' ? { sequence } : {}),
    select(around) {
      const named = around && joinSql([around, own, theirs, isOwn, isTheirs, sequence], ' ')
      const their = sql`SELECT *, ${theirs} AS theirs FROM (${everything.select(named)}) WHERE ${isTheirs}`
      const rows = sql`SELECT *, ${own} AS own FROM (${outer.select(named)}) WHERE ${isOwn}`
      return sql`SELECT * EXCEPT (own, theirs) FROM (${their}) AS e INNER JOIN (${rows}) AS o ON theirs = own`
    },
  }
}

/** A join field of some of the indices, and the parents that it has for the relation. */
interface End {
  readonly path: string
  readonly parent: string
}

/** The join fields that have the relation: each index has its own, and says who the parents are. */
function endsOf({ leaves }: PlannedRows, type: string): readonly End[] {
  const ends = new Map<string, End>()
  for (const { context } of leaves) {
    const join = context.join()
    const parent = join && parentOf(join.relations, type)
    if (join && parent !== undefined) ends.set(parentPath(join.path, parent), { path: join.path, parent })
  }
  return [...ends.values()]
}

/** Whether a row is of a relation by a join field, where that field has these parents for the type. */
function isOf(rows: PlannedRows, { path, parent }: End, type: string, relation: string): Sql {
  const field = rows.fieldWhere(
    path,
    ({ wireType, parameters }) => wireType === joinField.name && parentOf(relationsOf(parameters), type) === parent,
  )
  return sql`ifNull(${field.sql} = ${str(relation)}, 0)`
}

/** The parent of a row that is a child of the type, by its index's own join field. */
function parentsOf(rows: PlannedRows, ends: readonly End[], type: string): Sql {
  const ids = ends.map(({ path, parent }) => {
    const isParentOf = ({ wireType, parameters: { children } }: ResolvedField) =>
      wireType === parentField.name && Array.isArray(children) && children.includes(type)
    return rows.fieldWhere(parentPath(path, parent), isParentOf).sql
  })
  return sql`coalesce(${joinSql(ids, ', ')})`
}

function either(conditions: readonly Sql[]): Sql {
  return sql`(${joinSql(conditions, ' OR ')})`
}

function keyOf(index: Sql, id: Sql): Sql {
  return sql`concat(toString(${index}), ' ', ifNull(toString(${id}), ''))`
}
