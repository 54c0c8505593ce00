import {
  defaultNamespace,
  type SavedObject,
  type SavedObjectDocument,
  type SavedObjectReference,
  savedObjectsIndex,
} from '@logstack/contracts'
import { AppError, dashboardErrors } from '@logstack/errors'
import { ensureHiddenIndex, type SearchClient, sendBulk } from '@logstack/search-client'
import { keyText, type ObjectKey } from './object-key.ts'
import { titleOf } from './types.ts'

export type { ObjectKey } from './object-key.ts'

/** What became of one object of a bulk write. */
export interface WriteResult extends ObjectKey {
  readonly conflict: boolean
  readonly error: string | undefined
}

export interface FindRequest {
  /** All types when absent. */
  readonly types?: readonly string[]
  /** Only objects that point at this one. */
  readonly reference?: ObjectKey
  /** Only these attributes of each; all when absent. What lists need is a hundredth of what objects hold. */
  readonly attributes?: readonly string[]
}

interface Hit {
  readonly _source: SavedObjectDocument
  readonly sort?: readonly unknown[]
  readonly _seq_no?: number
  readonly _primary_term?: number
}

const indexPath = `/${encodeURIComponent(savedObjectsIndex.name)}`
/** Objects of one request to search: more of them, with all that they hold, would be hundreds of megabytes in one answer. */
const pageSize = 1_000
/** Of one list. */
const objectsMax = 100_000
const listedFields = ['type', 'id', 'namespace', 'created_at', 'updated_at', 'references', 'origin']

/** Saved objects in the hidden index, through the dashboard's own account. Callers check who may do what. */
export class SavedObjectRepository {
  readonly #search: SearchClient
  readonly #now: () => number

  constructor(search: SearchClient, now: () => number) {
    this.#search = search
    this.#now = now
  }

  /** Creates the index or brings its mapping up to date. */
  ensure(): Promise<void> {
    return ensureHiddenIndex(this.#search, savedObjectsIndex)
  }

  async get(key: ObjectKey): Promise<SavedObject | undefined> {
    const answer = await this.#search.request<Hit & { found?: boolean }>({
      method: 'GET',
      path: `${indexPath}/_doc/${encodeURIComponent(documentId(key))}`,
      accept: [404],
    })
    return answer.status === 200 && answer.body.found ? fromHit(answer.body) : undefined
  }

  /** The objects of `keys` that exist, in no order. */
  async getMany(keys: readonly ObjectKey[]): Promise<SavedObject[]> {
    if (keys.length === 0) return []
    const answer = await this.#search.request<{ docs: (Hit & { found?: boolean; error?: unknown })[] }>({
      method: 'POST',
      path: `${indexPath}/_mget`,
      body: { ids: unique(keys).map(documentId) },
    })
    const failed = answer.body.docs.find(({ error }) => error !== undefined)
    if (failed) throw new Error(`saved objects not read: ${JSON.stringify(failed.error)}`)
    return answer.body.docs.filter(({ found }) => found === true).map(fromHit)
  }

  /** All objects that fit, ordered by title; `import_too_large` where they are more than a list takes. */
  async find(request: FindRequest): Promise<SavedObject[]> {
    const { reference } = request
    const objects: SavedObject[] = []
    let after: readonly unknown[] | undefined
    do {
      const hits = await this.#page(request, after)
      for (const hit of hits) objects.push(fromHit(hit))
      if (objects.length > objectsMax) {
        throw new AppError(dashboardErrors.import_too_large, `There are more than ${objectsMax} saved objects`)
      }
      after = hits.length < pageSize ? undefined : hits.at(-1)?.sort
    } while (after)
    if (!reference) return objects
    return objects.filter((object) =>
      object.references.some(({ type, id }) => type === reference.type && id === reference.id),
    )
  }

  async #page(request: FindRequest, after: readonly unknown[] | undefined): Promise<readonly Hit[]> {
    const filter: unknown[] = [{ term: { namespace: defaultNamespace } }]
    if (request.types) filter.push({ terms: { type: request.types } })
    if (request.reference) filter.push({ term: { 'references.id': request.reference.id } })
    const { attributes } = request
    const answer = await this.#search.request<{ hits: { hits: Hit[] } }>({
      method: 'POST',
      path: `${indexPath}/_search`,
      body: {
        size: pageSize,
        seq_no_primary_term: true,
        query: { bool: { filter } },
        // Type and id make the order one that a next page can go on from.
        sort: [{ title: { order: 'asc' } }, { type: { order: 'asc' } }, { id: { order: 'asc' } }],
        ...(after ? { search_after: after } : {}),
        ...(attributes ? { _source: [...listedFields, ...attributes.map((name) => `attributes.${name}`)] } : {}),
      },
    })
    return answer.body.hits.hits
  }

  /** Writes one object. Without `overwrite` an existing one is `saved_object_conflict`. */
  async save(object: SavedObject, options: { overwrite: boolean }): Promise<SavedObject> {
    const [result] = await this.saveMany([object], options)
    if (result?.conflict) {
      throw new AppError(dashboardErrors.saved_object_conflict, `Saved object [${object.type}/${object.id}] conflict`)
    }
    if (result?.error) throw new Error(`saved object [${object.type}/${object.id}] not written: ${result.error}`)
    const saved = await this.get(object)
    if (!saved) throw new Error(`BUG: saved object [${object.type}/${object.id}] is gone after it was written`)
    return saved
  }

  /** Writes objects in order and answers one result for each; visible to `find` on return. */
  async saveMany(objects: readonly SavedObject[], options: { overwrite: boolean }): Promise<WriteResult[]> {
    const now = new Date(this.#now()).toISOString()
    const action = options.overwrite ? 'index' : 'create'
    const results = await sendBulk(
      this.#search,
      objects.map((object) => ({
        action,
        index: savedObjectsIndex.name,
        id: documentId(object),
        document: toDocument(object, now),
      })),
      { refresh: 'true' },
    )
    return objects.map(({ type, id }, index) => {
      const result = results[index]
      const conflict = result?.status === 409
      return { type, id, conflict, error: conflict || !result?.error ? undefined : result.error.reason }
    })
  }

  /** Deletes an object; false when there was none. */
  async delete(key: ObjectKey): Promise<boolean> {
    const answer = await this.#search.request({
      method: 'DELETE',
      path: `${indexPath}/_doc/${encodeURIComponent(documentId(key))}`,
      query: { refresh: 'true' },
      accept: [404],
    })
    return answer.status === 200
  }
}

/** The error for an object that does not exist, in Kibana's words. */
export function notFound(key: ObjectKey): AppError {
  return new AppError(dashboardErrors.saved_object_not_found, `Saved object [${key.type}/${key.id}] not found`)
}

function documentId(key: ObjectKey): string {
  return `${defaultNamespace}:${key.type}:${key.id}`
}

function unique(keys: readonly ObjectKey[]): ObjectKey[] {
  return [...new Map(keys.map((key) => [keyText(key), key])).values()]
}

function toDocument(object: SavedObject, now: string): SavedObjectDocument {
  const { type, id, attributes, references, created_at, updated_at, version, namespaces, ...origin } = object
  return {
    type,
    id,
    namespace: defaultNamespace,
    title: titleOf(object).slice(0, 1024),
    created_at: created_at ?? now,
    updated_at: now,
    references: references.map(({ name, type: target, id: targetId }: SavedObjectReference) => ({
      name,
      type: target,
      id: targetId,
    })),
    attributes,
    origin,
  }
}

function fromHit(hit: Hit): SavedObject {
  const { type, id, namespace, created_at, updated_at, references, attributes, origin } = hit._source
  const version =
    hit._seq_no === undefined
      ? {}
      : { version: Buffer.from(JSON.stringify([hit._seq_no, hit._primary_term ?? 1])).toString('base64') }
  // Where only some attributes were asked for, an object may have none of them.
  return {
    ...origin,
    type,
    id,
    namespaces: [namespace],
    attributes: attributes ?? {},
    references,
    created_at,
    updated_at,
    ...version,
  }
}
