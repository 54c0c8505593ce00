import type { Field } from '@logstack/rules'
import type { JoinField } from '../indices/join-mapping.ts'
import { exactJson } from '../json/exact-json.ts'

/** What the scores of several children come to. */
export type JoinScoreMode = 'none' | 'avg' | 'sum' | 'min' | 'max'

/** A condition on a document by others that are joined to it: its children, or its parent. */
export interface JoinedRows {
  /** What the others are to the document. */
  readonly others: 'children' | 'parent'
  /** The join field, and the name of its relation that the parents are of. */
  readonly join: JoinField['path']
  readonly parent: string
  /** The relations that children are of: one of `children`, all of the parent's of `parent`. */
  readonly children: readonly string[]
  /** What the others must match. */
  readonly query: unknown
  readonly scoreMode: JoinScoreMode
  /** How many of them, of children. */
  readonly least: number
  readonly most: number | undefined
}

/** Hits that are shown within a hit: those joined to it that its clause matched. */
export interface JoinedHits extends Pick<JoinedRows, 'others' | 'join' | 'parent' | 'children' | 'query'> {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

/** The field that says whether a document is joined to such others. */
export function joinedField(rows: JoinedRows): Field {
  return { path: `_joined ${exactJson({ ...rows, scoreMode: 'none' })}`, type: 'boolean' }
}

/** The field that says what these score together. */
export function joinedScore(rows: JoinedRows): Field {
  return { path: `_joined score ${exactJson(rows)}`, type: 'double' }
}
