import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkerName } from '../places/paths.ts'
import type { Stack } from '../stack.ts'
import { defineStep, findingOf, type Step } from './define-step.ts'
import { markerProblem, writeMarker } from './marker.ts'
import { unproven } from './unproven.ts'

/** The dashboards of search, imported from `dashboards/search/*.ndjson`. */
export const searchDashboards = dashboardsStep('search', 'search-dashboards')
/** The dashboards of endpoint-manager, imported from `dashboards/endpoint/*.ndjson`. */
export const endpointDashboards = dashboardsStep('endpoint', 'endpoint-dashboards')

interface SavedObjectKey {
  readonly type: string
  readonly id: string
}

interface ImportAnswer {
  readonly success: boolean
  readonly errors?: readonly (SavedObjectKey & { readonly error: { readonly type: string } })[]
}

function dashboardsStep(folder: string, marker: MarkerName): Step {
  const planOf = (stack: Stack, files: readonly string[]): string[] => [
    ...files.map((file) => `import ${file}`),
    `touch ${stack.paths.markers[marker]}`,
  ]
  return defineStep({
    name: `dashboards-${folder}`,
    title: `dashboards of ${folder}`,
    async diagnose(stack) {
      const files = filesOf(stack, folder)
      // What a user deleted stays deleted; only when nothing at all is there, the import is done again.
      if (markerProblem(stack.paths.markers[marker]) === undefined && (await presentOf(stack, files)).length > 0) {
        return { done: true }
      }
      return findingOf(planOf(stack, files))
    },
    planFromNothing: (stack) => planOf(stack, filesOf(stack, folder)),
    async apply(stack) {
      for (const file of filesOf(stack, folder)) await importFile(stack, file)
    },
    async prove(stack) {
      const files = filesOf(stack, folder)
      const present = await presentOf(stack, files)
      const absent = files.flatMap(keysIn).find((key) => !present.includes(`${key.type}/${key.id}`))
      if (absent) throw unproven(`the saved object ${absent.type}/${absent.id} was not imported`)
    },
    mark: (stack) => writeMarker(stack.paths.markers[marker]),
  })
}

/** The NDJSON files that are shipped in a folder of `dashboards/`. */
export function filesOf(stack: Stack, folder: string): string[] {
  const dir = join(stack.paths.programDir, 'dashboards', folder)
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => join(dir, name))
}

/** The dashboards (`type/id`) of the files that the dashboard part holds. */
export async function presentOf(stack: Stack, files: readonly string[]): Promise<string[]> {
  const keys = files.flatMap(keysIn)
  if (keys.length === 0) return []
  const answer = await stack.clients.dashboard().request<{ saved_objects: (SavedObjectKey & { error?: unknown })[] }>({
    method: 'POST',
    path: '/api/saved_objects/_bulk_get',
    body: keys,
  })
  return answer.body.saved_objects.filter((object) => !object.error).map((object) => `${object.type}/${object.id}`)
}

async function importFile(stack: Stack, file: string): Promise<void> {
  const boundary = `logstack-${randomBytes(12).toString('hex')}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="import.ndjson"\r\nContent-Type: application/ndjson\r\n\r\n`
  const content = Buffer.concat([Buffer.from(head), readFileSync(file), Buffer.from(`\r\n--${boundary}--\r\n`)])
  const { body } = await stack.clients.dashboard().request<ImportAnswer>({
    method: 'POST',
    path: '/api/saved_objects/_import?overwrite=false',
    bytes: { contentType: `multipart/form-data; boundary=${boundary}`, content },
  })
  // A conflict is an object that is there already, perhaps edited by the user: it stays.
  const failed = body.errors?.find((entry) => entry.error.type !== 'conflict')
  if (failed) throw unproven(`${file}: ${failed.type}/${failed.id} was not imported: ${failed.error.type}`)
}

function keysIn(file: string): SavedObjectKey[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Partial<SavedObjectKey>)
    .flatMap(({ type, id }) => (type && id ? [{ type, id }] : []))
}
