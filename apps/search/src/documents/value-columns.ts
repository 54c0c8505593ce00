import type { Column } from '../model/table.ts'

/** A column of texts; of an array companion each value counts by itself. */
export interface ValueColumn {
  readonly name: string
  readonly isArray: boolean
}

/**
 * Whether conditions on a column are decided by its values. Words of the values of one list count together, which its single values do not tell; a token index tells more
 * than values do.
 */
export function isDecidedByValues({ type, indexed, manyName }: Column): boolean {
  return type === 'string' || (type === 'text' && indexed !== true && manyName === undefined)
}

/** A field's column and its array companion. */
export function valueColumns({ name, manyName }: Column): ValueColumn[] {
  return [{ name, isArray: false }, ...(manyName === undefined ? [] : [{ name: manyName, isArray: true }])]
}
