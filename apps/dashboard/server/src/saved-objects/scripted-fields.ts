import type { SavedObject } from '@logstack/contracts'
import type { SavedObjectRepository } from './repository.ts'

interface Known {
  readonly version: string | undefined
  readonly fields: readonly unknown[]
}

/**
 * The scripted fields of index patterns. They stand among all fields, of which a pattern that Kibana 7 exported has megabytes: each version of a pattern is
 * read for them once.
 */
export class ScriptedFields {
  readonly #repository: SavedObjectRepository
  #known: ReadonlyMap<string, Known> = new Map()

  constructor(repository: SavedObjectRepository) {
    this.#repository = repository
  }

  /** The scripted fields of all patterns there are, by the pattern's id, as exports write them. */
  async of(patterns: readonly SavedObject[]): Promise<ReadonlyMap<string, readonly unknown[]>> {
    const before = this.#known
    const isKnown = ({ id, version }: SavedObject): boolean =>
      version !== undefined && before.get(id)?.version === version
    const unread = patterns.filter((pattern) => !isKnown(pattern))
    const read = await this.#repository.getMany(unread.map(({ type, id }) => ({ type, id })))
    const fresh = new Map(
      read.map((pattern) => [pattern.id, { version: pattern.version, fields: scriptedOf(pattern) }]),
    )
    // What is no pattern any more is forgotten.
    const known = patterns.flatMap(({ id }) => {
      const one = fresh.get(id) ?? before.get(id)
      return one ? [[id, one] as const] : []
    })
    this.#known = new Map(known)
    return new Map(known.map(([id, { fields }]) => [id, fields]))
  }
}

function scriptedOf({ attributes }: SavedObject): readonly unknown[] {
  const { fields } = attributes
  // Most have none; their megabytes need not be taken apart.
  if (typeof fields === 'string' && !/"scripted"\s*:\s*true/.test(fields)) return []
  const all = typeof fields === 'string' ? parsed(fields) : fields
  if (!Array.isArray(all)) return []
  return all.filter((field: unknown) => (Object(field) as { scripted?: unknown }).scripted === true)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
