import type { SavedObject } from '@logstack/contracts'
import { AppError, dashboardErrors } from '@logstack/errors'
import { z } from 'zod'

const referenceSchema = z.object({ name: z.string(), type: z.string(), id: z.string() })

const objectSchema = z.looseObject({
  type: z.string().min(1).max(200),
  id: z.string().min(1).max(400),
  attributes: z.record(z.string(), z.unknown()),
  references: z.array(referenceSchema).default([]),
})

/** Kibana 5 and older wrote one array of `{_id, _type, _source}`. */
const oldObjectSchema = z.object({
  _id: z.string().min(1),
  _type: z.string().min(1),
  _source: z.record(z.string(), z.unknown()),
})

/** How deep values of an object may lie in each other: far beyond what exports have, and what search keeps. */
const depthMax = 200

/**
 * Reads an export file: NDJSON as written since Kibana 7, the older JSON array, or the JSON object that Kibana's API of dashboards and the
 * Beats of 5 to 7 wrote (`{"version": …, "objects": […]}`). The export summary line is skipped.
 * Throws `import_invalid` with the line, `import_too_large` beyond `objectsMax`.
 */
export function parseExportFile(text: string, objectsMax: number): SavedObject[] {
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  const rows = trimmed.startsWith('[') ? readArray(trimmed) : (readObjects(trimmed) ?? readLines(trimmed))
  const objects: SavedObject[] = []
  for (const { value, place } of rows) {
    if (isExportSummary(value)) continue
    objects.push(toSavedObject(value, place))
    if (objects.length > objectsMax) {
      throw new AppError(dashboardErrors.import_too_large, `Can't import more than ${objectsMax} objects`)
    }
  }
  return objects
}

interface Row {
  readonly value: unknown
  readonly place: string
}

function readLines(text: string): Row[] {
  const rows: Row[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() !== '') rows.push({ value: parseJson(line, `line ${index + 1}`), place: `line ${index + 1}` })
  }
  return rows
}

function readArray(text: string): Row[] {
  const value = parseJson(text, 'the file')
  return (value as unknown[]).map((item, index) => ({ value: item, place: `object ${index + 1}` }))
}

/** The objects of a file that is one JSON object, over as many lines as it likes; undefined for any other. */
function readObjects(text: string): Row[] | undefined {
  if (!/^\{\s*"(?:version|objects)"\s*:/.test(text)) return undefined
  const { objects } = parseJson(text, 'the file') as { readonly objects?: unknown }
  if (!Array.isArray(objects)) return undefined
  return objects.map((value: unknown, index) => ({ value, place: `object ${index + 1}` }))
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError(dashboardErrors.import_invalid, `${place} is not JSON`, { cause })
  }
}

function isExportSummary(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'exportedCount' in value && !('type' in value)
}

function toSavedObject(value: unknown, place: string): SavedObject {
  if (isDeeper(value, depthMax)) {
    throw new AppError(dashboardErrors.import_invalid, `${place} is nested deeper than ${depthMax} levels`)
  }
  const old = oldObjectSchema.safeParse(value)
  const candidate = old.success ? fromOld(old.data) : value
  const parsed = objectSchema.safeParse(candidate)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new AppError(
      dashboardErrors.import_invalid,
      `${place} is not a saved object: [${issue?.path.join('.') ?? ''}] ${issue?.message ?? ''}`,
    )
  }
  // The loose schema keeps version fields (`coreMigrationVersion`, …) as they came; they are stored verbatim.
  return parsed.data as SavedObject
}

/** Looks level by level: one that calls itself would run out of stack. */
function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

function fromOld(old: z.infer<typeof oldObjectSchema>): unknown {
  return { id: old._id, type: old._type, attributes: old._source, references: [] }
}
