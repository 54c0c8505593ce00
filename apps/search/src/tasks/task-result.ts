import { isAppError, searchErrors } from '@logstack/errors'
import type { Services } from '../services.ts'

/** Where the answers of ended jobs are kept, as in Elasticsearch. */
const tasksIndex = '.tasks'

const mappings = {
  dynamic: 'strict',
  properties: {
    completed: { type: 'boolean' },
    task: { type: 'object', enabled: false },
    response: { type: 'object', enabled: false },
    error: { type: 'object', enabled: false },
  },
} as const

/** Keeps the answer of an ended task: JSON of `{ completed, task, response | error }`. The index is made with the first one. */
export async function keepTaskResult(services: Services, id: string, json: string): Promise<void> {
  if (!services.catalogue.index(tasksIndex)) await makeIndex(services)
  const source = Buffer.from(json)
  const [result] = await services.documents.apply([{ action: 'index', index: tasksIndex, id, source }])
  if (result && 'error' in result) throw result.error
}

async function makeIndex({ catalogue }: Services): Promise<void> {
  try {
    await catalogue.createIndex({ name: tasksIndex, settings: { hidden: true }, mappings })
  } catch (thrown) {
    // Another job ended at the same moment.
    if (!isAppError(thrown) || thrown.code !== searchErrors.resource_already_exists_exception.code) throw thrown
  }
}

/** The kept answer of a task as JSON; undefined when there is none. */
export async function readTaskResult({ catalogue, documents }: Services, id: string): Promise<Buffer | undefined> {
  const index = catalogue.index(tasksIndex)
  if (!index) return undefined
  const [document] = await documents.get(index, [id])
  return document?.source
}
