import type { WriteOperation } from './write-operation.ts'

const idKey = '"_id":"'
const end = '"}}'
/** Characters that stand for themselves in a JSON text. */
const plainId = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/
/** A request names few indices; one that names more is read the careful way from there on. */
const knownMax = 64

/**
 * Remembers the action lines of a request that end with an id: `{"create":{"_index":"logs","_id":"7"}}`. Of a thousand lines only the ids differ, so
 * what was read the careful way once is true of all that share its first bytes.
 */
export class KnownActions {
  readonly #byHead = new Map<string, WriteOperation>()

  /** The operation of a line like one before, with its own id and source; undefined where the line must be read. */
  operation(line: Buffer, source: () => Buffer | undefined): WriteOperation | undefined {
    if (this.#byHead.size === 0) return undefined
    const parts = split(line)
    const known = parts && this.#byHead.get(parts.head)
    if (!known) return undefined
    const own = source()
    return own && { ...known, id: parts.id, source: own }
  }

  /** Notes how a line was read. */
  note(line: Buffer, operation: WriteOperation): void {
    const parts = operation.source === undefined || this.#byHead.size >= knownMax ? undefined : split(line)
    // What follows the last id of the text might have been another one's: then the line says something else.
    if (parts && operation.id === parts.id) this.#byHead.set(parts.head, operation)
  }
}

/** What stands before and in the id that ends a line; undefined for lines of another form. */
function split(line: Buffer): { readonly head: string; readonly id: string } | undefined {
  const text = line.toString('latin1')
  if (!text.endsWith(end)) return undefined
  const at = text.lastIndexOf(idKey) + idKey.length
  const id = text.slice(at, -end.length)
  return at < idKey.length || !plainId.test(id) ? undefined : { head: text.slice(0, at), id }
}
