import type { CreateIndexRequest } from '../../indices/catalogue.ts'
import { aliasTarget, checkConditions, isDue, measure, streamTarget } from '../../lifecycle/rollover.ts'
import { defineRoute, type RouteRequest } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { requireIndices } from '../resources/authorized-indices.ts'
import { indicesOf, readCreateBody, requireAliases } from './index-admin.ts'

type Body = Readonly<Record<string, unknown>>

function readBody(request: RouteRequest): { conditions: unknown; creation: Omit<CreateIndexRequest, 'name'> } {
  const { conditions, ...creation }: Body = request.body.length === 0 ? {} : objectBody(request.json(), 'rollover')
  return { conditions, creation: readCreateBody(creation) }
}

/** `POST /{alias}/_rollover`: a new write index for an alias or a data stream, when the conditions say so. */
export const rolloverRoute = defineRoute({
  name: 'indices.rollover',
  methods: ['POST'],
  paths: ['/{index}/_rollover', '/{index}/_rollover/{new_index}'],
  privilege: { index: 'manage' },
  parameters: {
    timeout: 'time',
    master_timeout: 'time',
    dry_run: 'boolean',
    wait_for_active_shards: 'string',
    lazy: 'boolean',
  },
  async handle(request, services) {
    const name = request.params['index'] ?? ''
    const { conditions: given, creation } = readBody(request)
    // Who may not manage it learns nothing of what it is.
    if (!request.scope.hasIndex('manage', name)) indicesOf(request, services, 'indices.rollover', 'manage')
    const target =
      streamTarget(name, services, creation) ?? aliasTarget(name, services, creation, request.params['new_index'])
    requireIndices(request.scope, 'indices.rollover', 'manage', [target.next])
    requireAliases(request.scope, target.next, creation.aliases)
    const conditions = checkConditions(given, await measure(target.before, services))
    const dryRun = request.query['dry_run'] === true
    const rolls = !dryRun && isDue(conditions)
    const next = rolls ? await target.roll() : target.next
    const json = {
      acknowledged: rolls,
      shards_acknowledged: rolls,
      old_index: target.before.name,
      new_index: next,
      rolled_over: rolls,
      dry_run: dryRun,
      lazy: false,
      conditions: Object.fromEntries(conditions.map(({ shown, met }) => [shown, met])),
    }
    return { json }
  },
})
