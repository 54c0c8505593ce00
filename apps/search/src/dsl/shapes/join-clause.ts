import { all, and, none, type Predicate } from '@logstack/rules'
import { parentOf, parentPath, type Relations } from '../../indices/field-types/join.ts'
import { illegalArgument, ofRequest, queryShardError } from '../../refusals/refuse.ts'
import { computedScore, type Score } from '../../scores/score.ts'
import type { LowerContext } from '../define-query.ts'
import { readInnerHits } from '../inner-hits.ts'
import { type JoinedRows, joinedField, joinedScore } from '../joined-rows.ts'
import { fieldOf } from './reporting.ts'

/** A clause that joins, as its body says it. */
export interface JoinClause {
  readonly name: 'has_child' | 'has_parent'
  readonly others: JoinedRows['others']
  /** The relation that the others are of. */
  readonly type: string
  readonly query: unknown
  readonly scoreMode: JoinedRows['scoreMode']
  readonly least: number
  readonly most: number | undefined
  readonly quiet: boolean
  readonly inner: Readonly<Record<string, unknown>> | undefined
}

/** A member of a body that a clause cannot do without, null being none; throws `illegal_argument_exception` of the request. */
export function required<T>(value: T, clause: string, member: string): NonNullable<T> {
  if (value === undefined || value === null) throw ofRequest(illegalArgument(`[${clause}] requires '${member}' field`))
  return value
}

/** What a clause that joins means: a document of one end of the relation, joined to such of the other. */
export function lowerJoin(clause: JoinClause, context: LowerContext): Predicate {
  context.spend('joining')
  const rows = joinedRows(clause, context)
  if (!rows || !context.field(rows.join) || !context.field(parentPath(rows.join, rows.parent))) return none
  context.lowerApart(clause.query, clause.scoreMode !== 'none')
  if (clause.inner) {
    const { others, join, parent, children, query } = rows
    context.showsJoined({ ...readInnerHits(clause.inner, clause.type), others, join, parent, children, query })
  }
  context.computed.joined(rows)
  const ends = clause.others === 'children' ? [rows.parent] : rows.children
  return and([ofRelations(rows.join, ends, context), { op: 'equals', field: joinedField(rows), values: [true] }])
}

/** What it adds to the score: 1, or what the others score. */
export function scoreJoin(clause: JoinClause, context: LowerContext): Score {
  const when = lowerJoin(clause, context)
  const plain: Score = { op: 'constant', value: 1, when }
  const rows = when.op === 'none' || clause.scoreMode === 'none' ? undefined : joinedRows(clause, context)
  if (!rows) return plain
  // Replaced, whatever it is: a constant does not say the condition again.
  return computedScore(joinedScore(rows), when, { op: 'constant', value: 1, when: all })
}

/** That a document is of one of these relations. */
export function ofRelations(path: string, names: readonly string[], context: LowerContext): Predicate {
  const field = context.field(path)
  if (field?.valueType === undefined) return none
  return { op: 'equals', field: fieldOf({ ...field, valueType: field.valueType }), values: names }
}

/** Undefined where there is no such relation and the clause bears that; throws `query_shard_exception` where it does not. */
function joinedRows(clause: JoinClause, context: LowerContext): JoinedRows | undefined {
  const { name, type, others, query, scoreMode, least, most, quiet } = clause
  const join = context.join()
  const parent = join && (others === 'children' ? parentOf(join.relations, type) : parentNamed(join.relations, type))
  if (join && parent !== undefined) {
    const children = others === 'children' ? [type] : (join.relations.get(type) ?? [])
    return { others, join: join.path, parent, children, query, scoreMode, least, most }
  }
  if (quiet || !context.hasIndex) return undefined
  const why = join
    ? `join field [${join.path}] doesn't hold [${type}] as a ${others === 'children' ? 'child' : 'parent'}`
    : 'no join field has been configured'
  throw queryShardError(context.reportedIndex, undefined, `[${name}] ${why}`)
}

function parentNamed(relations: Relations, name: string): string | undefined {
  return relations.has(name) ? name : undefined
}
