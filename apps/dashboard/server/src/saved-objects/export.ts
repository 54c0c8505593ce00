import type { SavedObject } from '@logstack/contracts'
import { AppError, dashboardErrors } from '@logstack/errors'
import { keyText, type ObjectKey } from './object-key.ts'
import type { SavedObjectRepository } from './repository.ts'

export interface ExportRequest {
  readonly objects?: readonly ObjectKey[] | undefined
  readonly types?: readonly string[] | undefined
  readonly includeReferencesDeep: boolean
  readonly excludeExportDetails: boolean
  readonly objectsMax: number
}

type Store = Pick<SavedObjectRepository, 'getMany' | 'find'>

/** Writes objects as NDJSON in Kibana's form, those that others point at first, and a summary line at the end. */
export async function exportObjects(request: ExportRequest, repository: Store): Promise<string> {
  const chosen = request.objects
    ? await chosenObjects(request.objects, repository)
    : await repository.find({ ...(request.types ? { types: request.types } : {}) })
  const { objects, missing } = request.includeReferencesDeep
    ? await withReferences(chosen, repository)
    : { objects: chosen, missing: [] }
  if (objects.length > request.objectsMax) {
    throw new AppError(dashboardErrors.import_too_large, `Can't export more than ${request.objectsMax} objects`)
  }
  const lines: unknown[] = referencedFirst(objects).map(exported)
  if (!request.excludeExportDetails) {
    lines.push({
      excludedObjects: [],
      excludedObjectsCount: 0,
      exportedCount: objects.length,
      missingRefCount: missing.length,
      missingReferences: missing,
    })
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

async function chosenObjects(keys: readonly ObjectKey[], repository: Store): Promise<SavedObject[]> {
  const found = await repository.getMany(keys)
  const foundKeys = new Set(found.map(keyText))
  const absent = keys.filter((key) => !foundKeys.has(keyText(key)))
  if (absent.length > 0) {
    const names = absent.map((key) => `[${key.type}/${key.id}]`).join(', ')
    throw new AppError(dashboardErrors.request_invalid, `Error fetching objects to export: ${names} not found`)
  }
  return found
}

async function withReferences(
  chosen: readonly SavedObject[],
  repository: Store,
): Promise<{ objects: SavedObject[]; missing: ObjectKey[] }> {
  const objects = new Map(chosen.map((object) => [keyText(object), object]))
  const missing = new Map<string, ObjectKey>()
  let next = [...chosen]
  while (next.length > 0) {
    const wanted = next
      .flatMap((object) => object.references)
      .map(({ type, id }) => ({ type, id }))
      .filter((key) => !objects.has(keyText(key)) && !missing.has(keyText(key)))
    next = await repository.getMany(wanted)
    for (const object of next) objects.set(keyText(object), object)
    for (const key of wanted) if (!objects.has(keyText(key))) missing.set(keyText(key), key)
  }
  return { objects: [...objects.values()], missing: [...missing.values()] }
}

function referencedFirst(objects: readonly SavedObject[]): SavedObject[] {
  const byKey = new Map(objects.map((object) => [keyText(object), object]))
  const ordered = new Set<SavedObject>()
  const visiting = new Set<SavedObject>()
  const visit = (object: SavedObject): void => {
    // Links panels and the dashboards they are on point at each other: a circle is cut where it closes.
    if (ordered.has(object) || visiting.has(object)) return
    visiting.add(object)
    for (const reference of object.references) {
      const target = byKey.get(keyText(reference))
      if (target) visit(target)
    }
    ordered.add(object)
  }
  for (const object of objects) visit(object)
  return [...ordered]
}

function exported(object: SavedObject): unknown {
  const { namespaces, ...rest } = object
  return Object.fromEntries(Object.entries(rest).sort(([left], [right]) => (left < right ? -1 : 1)))
}
