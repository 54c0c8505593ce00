import { AppError, searchErrors } from '@logstack/errors'
import { defineRoute, type Route } from './define-route.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time', local: 'boolean' } as const

function missingRepository(name: string): AppError {
  return new AppError(searchErrors.repository_missing_exception, `[${name}] missing`)
}

const getRepositories = defineRoute({
  name: 'snapshot.get_repository',
  methods: ['GET'],
  paths: ['/_snapshot', '/_snapshot/{repository}'],
  privilege: { cluster: 'monitor_snapshot' },
  parameters: timeouts,
  async handle(request) {
    // Nobody can make one: search's data are backed up from outside. Patterns find nothing, names are missing.
    const asked = request.params['repository']?.split(',') ?? []
    const name = asked.find((one) => !one.includes('*') && one !== '_all')
    if (name !== undefined) throw missingRepository(name)
    return { json: {} }
  },
})

const putRepository = defineRoute({
  name: 'snapshot.create_repository',
  methods: ['PUT', 'POST'],
  paths: ['/_snapshot/{repository}'],
  privilege: { cluster: 'manage' },
  parameters: { ...timeouts, verify: 'boolean' },
  async handle(request) {
    const name = request.params['repository'] ?? ''
    throw new AppError(
      searchErrors.repository_exception,
      `[${name}] repositories of snapshots do not exist here: data are backed up by the operator`,
    )
  },
})

/** What needs a repository: there is none. */
function needsRepository(name: string, methods: Route['methods'], paths: readonly string[]): Route {
  return defineRoute({
    name,
    methods,
    paths,
    privilege: { cluster: 'monitor_snapshot' },
    parameters: { ...timeouts, ignore_unavailable: 'boolean', verbose: 'boolean', wait_for_completion: 'boolean' },
    async handle(request) {
      throw missingRepository(request.params['repository'] ?? '')
    },
  })
}

const status = defineRoute({
  name: 'snapshot.status',
  methods: ['GET'],
  paths: ['/_snapshot/_status'],
  privilege: { cluster: 'monitor_snapshot' },
  parameters: { ...timeouts, ignore_unavailable: 'boolean' },
  handle: async () => ({ json: { snapshots: [] } }),
})

/** Snapshots: there are none, in the words that clients know. */
export const snapshotRoutes: readonly Route[] = [
  getRepositories,
  putRepository,
  status,
  needsRepository('snapshot.delete_repository', ['DELETE'], ['/_snapshot/{repository}']),
  needsRepository('snapshot.get', ['GET'], ['/_snapshot/{repository}/{snapshot}']),
  needsRepository('snapshot.create', ['PUT', 'POST'], ['/_snapshot/{repository}/{snapshot}']),
  needsRepository('snapshot.delete', ['DELETE'], ['/_snapshot/{repository}/{snapshot}']),
  needsRepository('snapshot.status', ['GET'], ['/_snapshot/{repository}/_status']),
]
