/** A clause of the query DSL. */
export type Clause = Readonly<Record<string, unknown>>

/** The clause that finds nothing. */
export const nothing = Object.freeze({ match_none: {} })

/** Documents that all clauses find. */
export function every(clauses: readonly Clause[]): Clause {
  const [only] = clauses
  if (only && clauses.length === 1) return only
  return { bool: { filter: clauses } }
}

/** Documents that one of the clauses finds. */
export function some(clauses: readonly Clause[]): Clause {
  const [only] = clauses
  if (!only) return nothing
  return clauses.length === 1 ? only : { bool: { should: clauses, minimum_should_match: 1 } }
}

/** Documents that a clause does not find. */
export function without(clause: Clause): Clause {
  return { bool: { must_not: [clause] } }
}

/** Documents with a value of a field. */
export function exists(field: string): Clause {
  return { exists: { field } }
}
