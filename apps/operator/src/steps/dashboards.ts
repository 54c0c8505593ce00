import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { shapedAnswer } from '../clients/answer-shape.ts'
import type { Stack } from '../stack.ts'
import { unproven } from '../telling/unproven.ts'
import { defineStep, findingOf, type Step } from './define-step.ts'
import { markerProblem, writeMarker } from './marker.ts'
import {
  contentHash,
  type Differing,
  differing,
  importedBefore,
  importedFileOf,
  isWritten,
  missingAmong,
  type ShippedFolder,
  type ShippedObject,
  shippedFolders,
  shippedIn,
  withReferences,
  writeImported,
} from './shipped-objects.ts'

/** The dashboards of search, imported from `dashboards/search/*.ndjson`. */
export const searchDashboards = dashboardsStep('search')
/** The dashboards of endpoint-manager, imported from `dashboards/endpoint/*.ndjson`. */
export const endpointDashboards = dashboardsStep('endpoint')

const bulkGetSchema = z.object({
  saved_objects: z.array(
    z.object({
      type: z.string(),
      id: z.string(),
      error: z.unknown().optional(),
      attributes: z.unknown().optional(),
      references: z.array(z.object({ name: z.string(), type: z.string(), id: z.string() })).optional(),
    }),
  ),
})

interface ImportAnswer {
  readonly errors?: readonly { readonly type: string; readonly id: string; readonly error: { readonly type: string } }[]
}

// What a person deleted stays deleted, what a newer version ships is imported, and takes the place of an older one that nobody changed.
function dashboardsStep(folder: ShippedFolder): Step {
  const marker = shippedFolders[folder]
  return defineStep({
    name: `dashboards-${folder}`,
    title: `dashboards of ${folder}`,
    needs: ['dashboard'],
    async diagnose(stack) {
      const { missing, outdated, present } = await lookAtShipped(stack, folder)
      const isMarked = markerProblem(stack.paths.markers[marker]) === undefined
      return findingOf([
        ...missing.map(importLine),
        ...outdated.map(({ key }) => `import ${key} in place of an older version`),
        ...(isWritten(stack, folder, present) ? [] : [`write ${importedFileOf(stack, folder)}`]),
        ...(isMarked ? [] : [`touch ${stack.paths.markers[marker]}`]),
      ])
    },
    planFromNothing: (stack) => [
      ...shippedIn(stack, folder).map(importLine),
      `write ${importedFileOf(stack, folder)}`,
      `touch ${stack.paths.markers[marker]}`,
    ],
    async apply(stack) {
      const { missing, outdated } = await lookAtShipped(stack, folder)
      const shipped = shippedIn(stack, folder)
      if (missing.length > 0) await importObjects(stack, withReferences(missing, shipped), false)
      if (outdated.length > 0) await importObjects(stack, outdated, true)
      writeImported(stack, folder, (await lookAtShipped(stack, folder)).present)
    },
    async prove(stack) {
      const { missing, outdated } = await lookAtShipped(stack, folder)
      const [lacking] = [...missing, ...outdated]
      if (lacking) throw unproven(`the saved object ${lacking.key} was not imported`)
    },
    mark(stack) {
      writeMarker(stack.paths.markers[marker])
    },
  })
}

function importLine({ key }: ShippedObject): string {
  return `import ${key}`
}

/** What the dashboard part has of a shipped folder. */
export interface ShippedLook extends Differing {
  /** Of those that are there: the hash of their content, by key (`type/id`). */
  readonly present: ReadonlyMap<string, string>
  /** Those that are not there, but for what a person deleted. */
  readonly missing: readonly ShippedObject[]
}

/** Asks the dashboard part once for all objects of a shipped folder. */
export async function lookAtShipped(stack: Stack, folder: ShippedFolder): Promise<ShippedLook> {
  const shipped = shippedIn(stack, folder)
  const present = await presentOf(stack, shipped)
  const imported = importedBefore(stack, folder)
  return { present, missing: missingAmong(shipped, present, imported.keys), ...differing(shipped, present, imported) }
}

async function presentOf(stack: Stack, shipped: readonly ShippedObject[]): Promise<ReadonlyMap<string, string>> {
  const body = shipped.map(({ type, id }) => ({ type, id }))
  if (body.length === 0) return new Map()
  const answer = await stack.clients.dashboard().request({ method: 'POST', path: '/api/saved_objects/_bulk_get', body })
  const asked = 'what dashboard answers to /api/saved_objects/_bulk_get'
  const { saved_objects } = shapedAnswer(answer, bulkGetSchema, asked)
  const found = saved_objects.filter((object) => !object.error)
  return new Map(found.map((object) => [`${object.type}/${object.id}`, contentHash(object)]))
}

async function importObjects(stack: Stack, objects: readonly ShippedObject[], overwrite: boolean): Promise<void> {
  const boundary = `logstack-${randomBytes(12).toString('hex')}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="import.ndjson"\r\nContent-Type: application/ndjson\r\n\r\n`
  const lines = objects.map(({ line }) => line).join('\n')
  const content = Buffer.from(`${head}${lines}\r\n--${boundary}--\r\n`)
  const { body } = await stack.clients.dashboard().request<ImportAnswer>({
    method: 'POST',
    path: `/api/saved_objects/_import?overwrite=${overwrite}`,
    bytes: { contentType: `multipart/form-data; boundary=${boundary}`, content },
  })
  // A conflict is an object that is there already, perhaps edited by the user: it stays.
  const failed = body.errors?.find(({ error }) => error.type !== 'conflict')
  if (failed) throw unproven(`${failed.type}/${failed.id} was not imported: ${failed.error.type}`)
}
