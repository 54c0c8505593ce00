import { isObject } from '../../json/json-object.ts'

/** The member that says which relation a clause joins to. */
const relationNames: Readonly<Record<string, string>> = { has_child: 'type', has_parent: 'parent_type' }

/**
 * Queries one of which must hold, with those that join to the same relation as one: a child that matches one of the queries, in the place of a child that matches this one or a
 * child that matches that one. Each costs a look at all documents. Left as they are where more is asked of them, such as a number of children.
 */
export function mergedJoins(queries: readonly unknown[]): readonly unknown[] {
  const groups = new Map<unknown, unknown[]>()
  for (const query of queries) {
    const key = joinKey(query) ?? query
    groups.set(key, [...(groups.get(key) ?? []), query])
  }
  if (groups.size === queries.length) return queries
  return [...groups.values()].flatMap((group) => (group.length > 1 && joinKey(group[0]) ? [together(group)] : group))
}

/** What must be alike in joins that are one; undefined of any other query. */
function joinKey(query: unknown): string | undefined {
  const [name, body, ...others] = Object.entries(isObject(query) ? query : {}).flat()
  const relation = relationNames[String(name)]
  if (relation === undefined || others.length > 0 || !isObject(body)) return undefined
  const { [relation]: type, query: inner, ignore_unmapped: quiet, ...more } = body
  if (typeof type !== 'string' || !isObject(inner) || Object.keys(more).length > 0) return undefined
  return JSON.stringify([name, type, quiet])
}

function together(group: readonly unknown[]): unknown {
  const bodies = group.flatMap((query) => Object.entries(isObject(query) ? query : {}))
  const [[name, first] = ['', undefined]] = bodies
  const should = bodies.flatMap(([, body]) => (isObject(body) ? [body['query']] : []))
  return { [name]: { ...(isObject(first) ? first : {}), query: { bool: { should } } } }
}
