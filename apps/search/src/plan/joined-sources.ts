import { parentOf, parentPath } from '../indices/field-types/join.ts'
import type { JoinField } from '../indices/join-mapping.ts'
import { join as joinSql, type Sql, sql } from '../sql/sql.ts'
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
  const join = joinWith(everything, type)
  const parent = join && parentOf(join.relations, type)
  if (!join || parent === undefined)
    return { ...outer, select: (around) => sql`SELECT * FROM (${outer.select(around)}) WHERE 0` }
  const path = parentPath(join.path, parent)
  const [above, below] = others === 'children' ? [documents, everything] : [everything, documents]
  const byId = keyOf(above.document().index, above.document().id)
  const byParent = keyOf(below.document().index, below.field(path).sql)
  const isParent = above.matches({ term: { [join.path]: parent } })
  const isChild = below.matches({ term: { [join.path]: type } })
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

/** The first index's join field that has the relation. */
function joinWith({ leaves }: PlannedRows, type: string): JoinField | undefined {
  return leaves
    .map(({ context }) => context.join())
    .find((join) => join !== undefined && parentOf(join.relations, type) !== undefined)
}

function keyOf(index: Sql, id: Sql): Sql {
  return sql`concat(toString(${index}), ' ', ifNull(toString(${id}), ''))`
}
