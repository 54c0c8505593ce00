import type { LowerContext } from '../../dsl/define-query.ts'

/** What is asked for of the parts of a document that its mapping does not know. */
export interface UnmappedRequest {
  readonly context: LowerContext
  /** Whether a path is among those that are asked for. */
  accepts(path: string): boolean
  /** Takes the path of objects that are kept apart, whose own parts are looked at by themselves. */
  readonly apart?: ((path: string) => void) | undefined
}

/**
 * The values of an object's members that are mapped to nothing, by their path, lists within lists as one. `above` is the path of the object with a dot behind it, empty for the
 * document.
 */
export function unmappedValues(object: object, above: string, asked: UnmappedRequest): ReadonlyMap<string, unknown[]> {
  const found = new Map<string, unknown[]>()
  walk(object, above, asked, found)
  return found
}

function walk(object: object, above: string, asked: UnmappedRequest, found: Map<string, unknown[]>): void {
  for (const [name, value] of Object.entries(object)) {
    const path = above + name
    if (value === null || asked.context.field(path)) continue
    if (asked.context.isNested(path)) asked.apart?.(path)
    else note(value, path, asked, found)
  }
}

function note(value: unknown, path: string, asked: UnmappedRequest, found: Map<string, unknown[]>): void {
  if (Array.isArray(value)) for (const member of value) note(member, path, asked, found)
  else if (typeof value === 'object' && value !== null) walk(value, `${path}.`, asked, found)
  else if (asked.accepts(path)) {
    const known = found.get(path)
    if (known) known.push(value)
    else found.set(path, [value])
  }
}
