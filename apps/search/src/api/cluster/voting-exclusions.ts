import { createHash } from 'node:crypto'
import { AppError, searchErrors } from '@logstack/errors'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type Route } from '../define-route.ts'

/** A node that is to have no vote, as far as it is known. */
interface Exclusion {
  readonly node_id: string
  readonly node_name: string
}

const collection = 'voting_config_exclusion'
/** The default of `cluster.max_voting_config_exclusions`. */
const exclusionsMax = 10
const absent = '_absent_'

/** The nodes that are to have no vote, in the order they were named. */
export function votingExclusions({ catalogue }: Pick<Services, 'catalogue'>): readonly Exclusion[] {
  return [...catalogue.collection<Exclusion>(collection).entries()].map(([, exclusion]) => exclusion)
}

const namesOf = (given: unknown): readonly string[] =>
  ((given as readonly string[] | undefined) ?? []).filter((name) => name !== '')

const add = defineRoute({
  name: 'cluster.post_voting_config_exclusions',
  methods: ['POST'],
  paths: ['/_cluster/voting_config_exclusions'],
  privilege: { cluster: 'manage' },
  parameters: { node_ids: 'list', node_names: 'list', timeout: 'time', master_timeout: 'time' },
  async handle(request, services) {
    const [ids, names] = [namesOf(request.query['node_ids']), namesOf(request.query['node_names'])]
    if (ids.length > 0 === names.length > 0)
      throw illegalArgument('You must set [node_names] or [node_ids] but not both')
    const { catalogue, store, nodeName: node_name } = services
    const own = { node_id: catalogue.clusterUuid, node_name }
    const wanted = [
      ...ids.map((node_id) => (node_id === own.node_id ? own : { node_id, node_name: absent })),
      ...names.map((name) => (name === node_name ? own : { node_id: absent, node_name: name })),
    ]
    const kept = catalogue.collection<Exclusion>(collection)
    const byKey = new Map(wanted.map((exclusion) => [keyOf(exclusion), exclusion]))
    const fresh = [...byKey].filter(([key]) => kept.get(key) === undefined)
    const existing = votingExclusions(services).length
    if (existing + fresh.length > exclusionsMax) {
      const nodes = ids.length > 0 ? `with ids [${ids.join(', ')}]` : `named [${names.join(', ')}]`
      throw illegalArgument(
        `add voting config exclusions request for nodes ${nodes} would add [${fresh.length}] exclusions to the existing [${existing}] which would exceed the maximum of [${exclusionsMax}] set by [cluster.max_voting_config_exclusions]`,
      )
    }
    await store.transaction(() => {
      for (const [key, exclusion] of fresh) kept.put(key, exclusion)
    })
    // The one vote there is cannot be given up: nobody could take it.
    if (wanted.includes(own)) throw timedOut('timed out waiting for voting config exclusions to take effect')
    return { text: '' }
  },
})

const clear = defineRoute({
  name: 'cluster.delete_voting_config_exclusions',
  methods: ['DELETE'],
  paths: ['/_cluster/voting_config_exclusions'],
  privilege: { cluster: 'manage' },
  parameters: { wait_for_removal: 'boolean', master_timeout: 'time' },
  async handle(request, services) {
    const { catalogue, store } = services
    const exclusions = votingExclusions(services)
    const waits = request.query['wait_for_removal'] !== false
    if (waits && exclusions.some(({ node_id }) => node_id === catalogue.clusterUuid))
      throw timedOut(
        'timed out waiting for removal of nodes; if nodes should not be removed, set ?wait_for_removal=false',
      )
    const kept = catalogue.collection<Exclusion>(collection)
    await store.transaction(() => {
      for (const exclusion of exclusions) kept.remove(keyOf(exclusion))
    })
    return { text: '' }
  },
})

/** A name may be longer than a key of the store. */
const keyLengthMax = 200

function keyOf({ node_id, node_name }: Exclusion): string {
  const key = JSON.stringify([node_id, node_name])
  return key.length <= keyLengthMax ? key : createHash('sha256').update(key).digest('base64url')
}

function timedOut(reason: string): AppError {
  return new AppError(searchErrors.timeout_exception, reason)
}

/** Nodes that are to have no vote in the choice of a master. There is one node: the list is kept and decides nothing. */
export const votingExclusionRoutes: readonly Route[] = [add, clear]
