import { AppError, searchErrors } from '@logstack/errors'
import { shardsOf } from '../../indices/shards.ts'
import { isObject } from '../../json/json-object.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { contentError, illegalArgument, memberError } from '../../refusals/refuse.ts'
import type { Services } from '../../services.ts'
import { defineRoute } from '../define-route.ts'
import { describeNode, meansThisNode } from '../resources/node.ts'
import { apiVersion } from '../resources/root.ts'
import { clusterMetrics, clusterParts } from './cluster-state.ts'

type Members = Readonly<Record<string, unknown>>
interface Decision {
  readonly decider: string
  readonly decision: 'YES' | 'NO'
  readonly explanation: string
}

/** One command to move, cancel or allocate a shard: what it was told, and what comes of it on the one node there is. */
interface Command {
  readonly name: string
  readonly parameters: Members
  /** Throws where it names an index or a node that is not there. */
  decide(services: Services): Decision
  /** What stands before the reason where the command is refused. */
  readonly label: string
}

const parseError = (reason: string) => new AppError(searchErrors.parse_exception, reason)
const isTrue = (value: unknown): boolean => value === true || value === 'true'
const no = (decider: string, explanation: string): Decision => ({ decider, decision: 'NO', explanation })

/** The parameters of `cancel` and `move`, all of which must be there but flags. */
function written(name: string, given: Members, required: readonly string[], flags: readonly string[] = []): Members {
  const unknown = Object.keys(given).find((key) => !required.includes(key) && !flags.includes(key))
  if (unknown !== undefined) throw parseError(`[${name}] command does not support field [${unknown}]`)
  const missing = required.find((key) => given[key] === undefined)
  if (missing !== undefined) throw parseError(`[${name}] command missing the ${missing} parameter`)
  return parametersOf(given, required, flags)
}

function parametersOf(given: Members, required: readonly string[], flags: readonly string[]): Members {
  return Object.fromEntries([
    ...required.map((key) => [key, key === 'shard' ? shardNumber(given[key]) : given[key]]),
    ...flags.map((key) => [key, isTrue(given[key])]),
  ])
}

/** A whole number, or a text that is one. */
function shardNumber(given: unknown): number {
  const isNumber = typeof given === 'number' ? Number.isSafeInteger(given) : /^-?\d{1,9}$/.test(String(given))
  if (!isNumber) throw illegalArgument(`[shard] must be a whole number but was [${String(given)}]`)
  return Number(given)
}

function checkNode(services: Services, given: unknown): void {
  const { nodeName, catalogue } = services
  if (!meansThisNode([String(given)], { nodeName, clusterUuid: catalogue.clusterUuid }))
    throw illegalArgument(`failed to resolve [${String(given)}], no matching nodes`)
}

const resourceOf = (path: unknown): Members => ({ 'resource.type': 'index_or_alias', 'resource.id': String(path) })

function indexNamed({ catalogue }: Services, given: unknown, more: Members = {}): IndexMeta {
  const index = catalogue.index(String(given))
  if (index) return index
  const detail = { ...more, index_uuid: '_na_', index: String(given) }
  throw new AppError(searchErrors.index_not_found_exception, `no such index [${String(given)}]`, { detail })
}

function hasShard(index: IndexMeta, shard: unknown): boolean {
  return Number(shard) >= 0 && Number(shard) < shardsOf(index).primaries
}

/** The node as explanations name it. */
function nodeText(services: Services): string {
  const { name, host, transport_address: address } = describeNode(services)
  const id = services.catalogue.clusterUuid
  return `{${name}}{${id}}{${id}}{${name}}{${host}}{${address}}{dim}{${apiVersion.number}}`
}

function cancel(given: Members): Command {
  const parameters = written('cancel', given, ['index', 'shard', 'node'], ['allow_primary'])
  const decider = 'cancel_allocation_command'
  return {
    name: 'cancel',
    label: 'cancel_allocation',
    parameters,
    decide(services) {
      checkNode(services, parameters['node'])
      const { shard } = parameters
      const node = nodeText(services)
      if (!hasShard(indexNamed(services, parameters['index']), shard))
        return no(decider, `can't cancel ${String(shard)}, failed to find it on node ${node}`)
      if (parameters['allow_primary'] !== true)
        return no(decider, `can't cancel ${String(shard)} on node ${node}, shard is primary and started`)
      // A primary that is cancelled comes back where its data are: on the same node, as it was.
      return { decider, decision: 'YES', explanation: `shard ${String(shard)} on node ${node} can be cancelled` }
    },
  }
}

function move(given: Members): Command {
  const parameters = written('move', given, ['index', 'shard', 'from_node', 'to_node'])
  return {
    name: 'move',
    label: 'move_allocation',
    parameters,
    decide(services) {
      checkNode(services, parameters['from_node'])
      checkNode(services, parameters['to_node'])
      const { index, shard } = parameters
      if (!hasShard(indexNamed(services, index), shard))
        return no('move_allocation_command', `shard ${String(shard)} not found`)
      return no(
        'same_shard',
        `this shard is already allocated to this node [[${String(index)}][${String(shard)}], node[${services.catalogue.clusterUuid}], [P], s[STARTED]]`,
      )
    },
  }
}

function allocate(name: string, flags: readonly string[]): (given: Members) => Command {
  const known = ['index', 'shard', 'node']
  return (given) => {
    const unknown = Object.keys(given).find((key) => !known.includes(key) && !flags.includes(key))
    if (unknown !== undefined) throw contentError(`[${name}] unknown field [${unknown}]`)
    for (const key of known) if (given[key] === undefined) throw illegalArgument(`Argument [${key}] must be defined`)
    const parameters = parametersOf(given, known, flags)
    return {
      name,
      label: name,
      parameters,
      decide: (services) => no(`${name} (allocation command)`, whyNotAllocated(services, name, parameters)),
    }
  }
}

/** Why there is nothing to allocate: every primary is where its data are, and no second node could hold a replica. */
function whyNotAllocated(services: Services, name: string, { index: path, shard, node }: Members): string {
  const { nodeName, catalogue } = services
  if (!meansThisNode([String(node)], { nodeName, clusterUuid: catalogue.clusterUuid }))
    return `failed to resolve [${String(node)}], no matching nodes`
  // A stale primary is one of an index that must be there; the others are told why nothing can be done.
  const isStale = name === 'allocate_stale_primary'
  const index = isStale ? indexNamed(services, path, resourceOf(path)) : catalogue.index(String(path))
  if (!index) return `no such index [${String(path)}]`
  if (!hasShard(index, shard)) return 'no such shard'
  const place = `[${index.name}][${String(shard)}]`
  if (name !== 'allocate_replica') return `primary ${place} is already assigned`
  return Number(index.settings['number_of_replicas'] ?? 0) === 0
    ? `all copies of ${place} are already assigned. Use the move allocation command instead`
    : `a copy of this shard is already allocated to this node [${place}]`
}

const commands: ReadonlyMap<string, (given: Members) => Command> = new Map([
  ['cancel', cancel],
  ['move', move],
  ['allocate_replica', allocate('allocate_replica', [])],
  ['allocate_stale_primary', allocate('allocate_stale_primary', ['accept_data_loss'])],
  ['allocate_empty_primary', allocate('allocate_empty_primary', ['accept_data_loss'])],
])

function readCommands(body: unknown): readonly Command[] {
  if (body === undefined) return []
  if (!isObject(body)) throw contentError('[cluster_reroute] Expected START_OBJECT')
  const unknown = Object.keys(body).find((name) => name !== 'commands')
  if (unknown !== undefined) throw contentError(`[cluster_reroute] unknown field [${unknown}]`)
  const { commands: given = [] } = body
  try {
    if (!Array.isArray(given))
      throw parseError('expected either field name [commands], or start array, got [START_OBJECT] instead')
    return given.map(readCommand)
  } catch (thrown) {
    throw thrown instanceof AppError ? memberError('cluster_reroute', 'commands', thrown) : thrown
  }
}

function readCommand(given: unknown): Command {
  const [name, parameters] = Object.entries(isObject(given) ? given : {})[0] ?? []
  const read = commands.get(name ?? '')
  if (!read) throw new AppError(searchErrors.named_object_not_found_exception, `unknown field [${name ?? 'null'}]`)
  return read(isObject(parameters) ? parameters : {})
}

/** `_cluster/reroute`: what shards could be moved, cancelled and allocated. With one node none can: each command is told why. */
export const clusterRerouteRoute = defineRoute({
  name: 'cluster.reroute',
  methods: ['POST'],
  paths: ['/_cluster/reroute'],
  privilege: { cluster: 'manage' },
  parameters: {
    dry_run: 'boolean',
    explain: 'boolean',
    retry_failed: 'boolean',
    metric: 'list',
    timeout: 'time',
    master_timeout: 'time',
    cluster_manager_timeout: 'time',
  },
  async handle(request, services) {
    const given = readCommands(request.json())
    const explains = request.query['explain'] === true
    const explanations = given.map((command) => {
      const decision = command.decide(services)
      if (!explains && decision.decision === 'NO') throw illegalArgument(`[${command.label}] ${decision.explanation}`)
      return { command: command.name, parameters: command.parameters, decisions: [decision] }
    })
    const metrics = (request.query['metric'] as readonly string[] | undefined) ?? clusterMetrics
    const state = metrics.includes('none')
      ? {}
      : { state: clusterParts(services, { metrics, indices: [...services.catalogue.indices()], flat: false }) }
    return { json: { acknowledged: true, ...state, ...(explains ? { explanations } : {}) } }
  },
})
