import { randomUUID } from 'node:crypto'
import type { SavedObject, SavedObjectReference } from '@logstack/contracts'
import { AppError, dashboardErrors } from '@logstack/errors'
import { keyText, type ObjectKey } from './object-key.ts'
import type { SavedObjectRepository } from './repository.ts'
import { metaOf, savedObjectTypes } from './types.ts'

/** How conflicts are met, for all objects or (in a retry) for each. */
export interface ImportOptions {
  readonly overwrite: boolean
  readonly createNewCopies: boolean
  /** Only these are imported, each with its own choice; used by `_resolve_import_errors`. */
  readonly retries?: readonly ImportRetry[]
}

export interface ImportRetry extends ObjectKey {
  readonly overwrite?: boolean | undefined
  readonly destinationId?: string | undefined
  readonly ignoreMissingReferences?: boolean | undefined
  readonly replaceReferences?: readonly { type: string; from: string; to: string }[] | undefined
}

/** The answer of Kibana's import API. */
export interface ImportAnswer {
  readonly success: boolean
  readonly successCount: number
  readonly warnings: readonly []
  readonly successResults?: readonly ImportSuccess[]
  readonly errors?: readonly ImportFailure[]
}

interface Meta {
  readonly title: string
  readonly icon: string
}

interface ImportSuccess extends ObjectKey {
  readonly meta: Meta
  readonly managed: boolean
  readonly overwrite?: true
  readonly destinationId?: string
  readonly createNewCopy?: true
}

interface ImportFailure extends ObjectKey {
  readonly title: string
  readonly meta: Meta
  readonly error: { readonly type: string; readonly [detail: string]: unknown }
}

interface Planned {
  readonly object: SavedObject
  readonly destinationId: string
  readonly overwrite: boolean
}

// Kibana refuses objects whose data view or saved search is missing; other references may dangle.
const requiredReferenceTypes = new Set(['index-pattern', 'search'])

type Store = Pick<SavedObjectRepository, 'getMany' | 'saveMany'>

/** Imports objects as Kibana does: what cannot be imported is reported by object, the rest is written. */
export async function importObjects(
  given: readonly SavedObject[],
  options: ImportOptions,
  repository: Store,
): Promise<ImportAnswer> {
  refuseDuplicates(given)
  const failures: ImportFailure[] = []
  const retries = options.retries && retriesByKey(options.retries)
  const supported = selectRetried(given, retries).filter((object) => {
    const known = Object.hasOwn(savedObjectTypes, object.type)
    if (!known) failures.push(failure(object, { type: 'unsupported_type' }))
    return known
  })
  const complete = await withoutMissingReferences(supported, given, retries, repository, failures)
  const planned = planDestinations(complete, retries, options)
  const existing = options.createNewCopies
    ? new Set<string>()
    : new Set((await repository.getMany(planned.map(destinationKey))).map(keyText))
  const writable = planned.filter((plan) => {
    const conflict = existing.has(keyText(destinationKey(plan))) && !plan.overwrite
    if (conflict) failures.push(failure(plan.object, { type: 'conflict' }))
    return !conflict
  })
  const successes = await write(writable, existing, options, repository, failures)
  return {
    success: failures.length === 0,
    successCount: successes.length,
    warnings: [],
    ...(successes.length > 0 ? { successResults: successes } : {}),
    ...(failures.length > 0 ? { errors: failures } : {}),
  }
}

async function write(
  plans: readonly Planned[],
  existing: ReadonlySet<string>,
  options: ImportOptions,
  repository: Store,
  failures: ImportFailure[],
): Promise<ImportSuccess[]> {
  const rename = new Map(plans.map((plan) => [keyText(plan.object), plan.destinationId]))
  const objects = plans.map(({ object, destinationId }) => ({
    ...object,
    id: destinationId,
    references: object.references.map((reference) => ({
      ...reference,
      id: rename.get(keyText(reference)) ?? reference.id,
    })),
  }))
  const results = await repository.saveMany(objects, { overwrite: true })
  return plans.flatMap((plan, index) => {
    const error = results[index]?.error
    if (error !== undefined) {
      failures.push(failure(plan.object, { type: 'unknown', message: error, statusCode: 500 }))
      return []
    }
    return [success(plan, existing.has(keyText(destinationKey(plan))), options)]
  })
}

function success(plan: Planned, overwritten: boolean, options: ImportOptions): ImportSuccess {
  const { object, destinationId } = plan
  return {
    type: object.type,
    id: object.id,
    meta: metaOf(object),
    managed: object.managed ?? false,
    ...(overwritten ? { overwrite: true as const } : {}),
    ...(destinationId === object.id ? {} : { destinationId }),
    ...(options.createNewCopies ? { createNewCopy: true as const } : {}),
  }
}

/** Retries by the object each is for: all objects of a large file may be tried again. */
type Retries = ReadonlyMap<string, ImportRetry>

/** Of several for one object the first counts. */
function retriesByKey(retries: readonly ImportRetry[]): Retries {
  const byKey = new Map<string, ImportRetry>()
  for (const retry of retries) if (!byKey.has(keyText(retry))) byKey.set(keyText(retry), retry)
  return byKey
}

function selectRetried(given: readonly SavedObject[], retries: Retries | undefined): SavedObject[] {
  if (!retries) return [...given]
  return given.flatMap((object) => {
    const retry = retries.get(keyText(object))
    if (!retry) return []
    const replace = (reference: SavedObjectReference): SavedObjectReference => {
      const to = retry.replaceReferences?.find(({ type, from }) => type === reference.type && from === reference.id)?.to
      return to === undefined ? reference : { ...reference, id: to }
    }
    return [{ ...object, references: object.references.map(replace) }]
  })
}

async function withoutMissingReferences(
  objects: readonly SavedObject[],
  given: readonly SavedObject[],
  retries: Retries | undefined,
  repository: Store,
  failures: ImportFailure[],
): Promise<SavedObject[]> {
  const inFile = new Set(given.map(keyText))
  const outside = objects.flatMap((object) =>
    object.references.filter(
      (reference) => requiredReferenceTypes.has(reference.type) && !inFile.has(keyText(reference)),
    ),
  )
  const stored = new Set((await repository.getMany(outside)).map(keyText))
  return objects.filter((object) => {
    if (retries?.get(keyText(object))?.ignoreMissingReferences) return true
    const missing = object.references.filter(
      (reference) =>
        requiredReferenceTypes.has(reference.type) &&
        !inFile.has(keyText(reference)) &&
        !stored.has(keyText(reference)),
    )
    if (missing.length === 0) return true
    const references = [...new Map(missing.map(({ type, id }) => [keyText({ type, id }), { type, id }])).values()]
    failures.push(failure(object, { type: 'missing_references', references }))
    return false
  })
}

function planDestinations(
  objects: readonly SavedObject[],
  retries: Retries | undefined,
  options: ImportOptions,
): Planned[] {
  return objects.map((object) => {
    const retry = retries?.get(keyText(object))
    const destinationId = retry?.destinationId ?? (options.createNewCopies ? randomUUID() : object.id)
    return { object, destinationId, overwrite: retry?.overwrite ?? options.overwrite }
  })
}

function refuseDuplicates(objects: readonly SavedObject[]): void {
  const seen = new Set<string>()
  for (const object of objects) {
    const key = keyText(object)
    if (seen.has(key)) {
      throw new AppError(dashboardErrors.import_invalid, `Non-unique import objects detected: [${key}]`)
    }
    seen.add(key)
  }
}

function failure(object: SavedObject, error: ImportFailure['error']): ImportFailure {
  const meta = metaOf(object)
  return { id: object.id, type: object.type, title: meta.title, meta, error }
}

function destinationKey(plan: Planned): ObjectKey {
  return { type: plan.object.type, id: plan.destinationId }
}
