import { shardsOf } from '../../indices/shards.ts'
import { printJson } from '../../json/print-json.ts'
import type { Services } from '../../services.ts'
import { taskId } from '../../tasks/show-task.ts'
import { type Task, tasksOf } from '../../tasks/tasks.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { type DiskSpace, diskSpace } from '../resources/disk-space.ts'
import { nameMatcher } from '../resources/show-index.ts'
import { type CatColumn, type Cell, catAnswer, catParameters } from './table.ts'

function column<Row>(
  name: string,
  aliases: readonly string[],
  description: string,
  cell: (row: Row) => Cell,
  { shown = true, right = false } = {},
): CatColumn<Row> {
  return { name, aliases, description, cell, shown, right }
}

const number = { right: true }
const hidden = { shown: false }

interface Allocation {
  readonly shards: number
  readonly bytes: number
  readonly disk: DiskSpace
  readonly node: string
}

const allocationColumns: readonly CatColumn<Allocation>[] = [
  column('shards', ['s'], 'number of shards on node', ({ shards }) => shards, number),
  column(
    'shards.undesired',
    [],
    'number of shards that are scheduled to be moved elsewhere in the cluster',
    () => 0,
    number,
  ),
  column('write_load.forecast', ['wlf', 'writeLoadForecast'], 'sum of index write load forecasts', () => '0.0', number),
  column(
    'disk.indices.forecast',
    ['dif', 'diskIndicesForecast'],
    'sum of shard size forecasts',
    ({ bytes }) => ({ bytes }),
    number,
  ),
  column('disk.indices', ['di', 'diskIndices'], 'disk used by ES indices', ({ bytes }) => ({ bytes }), number),
  column(
    'disk.used',
    ['du', 'diskUsed'],
    'disk used (total, not just ES)',
    ({ disk }) => ({ bytes: disk.totalBytes - disk.freeBytes }),
    number,
  ),
  column('disk.avail', ['da', 'diskAvail'], 'disk available', ({ disk }) => ({ bytes: disk.freeBytes }), number),
  column(
    'disk.total',
    ['dt', 'diskTotal'],
    'total capacity of all volumes',
    ({ disk }) => ({ bytes: disk.totalBytes }),
    number,
  ),
  column('disk.percent', ['dp', 'diskPercent'], 'percent disk used', ({ disk }) => percentUsed(disk), number),
  column('host', ['h'], 'host of node', () => '127.0.0.1'),
  column('ip', [], 'ip of node', () => '127.0.0.1'),
  column('node', ['n'], 'name of node', ({ node }) => node),
  column('node.role', ['r', 'role', 'nodeRole'], 'node roles', () => 'dim'),
]

function percentUsed({ totalBytes, freeBytes }: DiskSpace): number {
  return totalBytes === 0 ? 0 : Math.round((1 - freeBytes / totalBytes) * 100)
}

async function allocation(services: Services): Promise<Allocation> {
  const indices = [...services.catalogue.indices()]
  const stats = await Promise.all(indices.map((index) => services.documents.stats(index)))
  return {
    shards: indices.reduce((sum, index) => sum + shardsOf(index).primaries, 0),
    bytes: stats.reduce((sum, { bytes }) => sum + bytes, 0),
    disk: await diskSpace(services),
    node: services.nodeName,
  }
}

const catAllocation = defineRoute({
  name: 'cat.allocation',
  methods: ['GET'],
  paths: ['/_cat/allocation', '/_cat/allocation/{node}'],
  privilege: { cluster: 'monitor' },
  parameters: catParameters,
  handle: (request, services) =>
    catAnswer(request, allocationColumns, async () => {
      const wanted = nameMatcher(request.params['node'])
      const here = [services.nodeName, services.catalogue.clusterUuid, '127.0.0.1'].some(wanted)
      return here ? [await allocation(services)] : []
    }),
})

const taskColumns: readonly CatColumn<{ readonly task: Task; readonly services: Services }>[] = [
  column('id', [], 'id of the task with the node', ({ task, services }) => taskId(services, task), hidden),
  column('action', ['ac'], 'task action', ({ task }) => task.action),
  column('task_id', ['ti'], 'unique task id', ({ task, services }) => taskId(services, task)),
  column('parent_task_id', ['pti'], 'parent task id', ({ task, services }) =>
    task.parent ? taskId(services, task.parent) : '-',
  ),
  column('type', ['ty'], 'task type', ({ task }) => (task.parent ? 'direct' : 'transport')),
  column('start_time', ['start'], 'start time in ms', ({ task }) => task.startedAtMs),
  column('timestamp', ['ts', 'hms', 'hhmmss'], 'start time in HH:MM:SS', ({ task }) =>
    new Date(task.startedAtMs).toISOString().slice(11, 19),
  ),
  column(
    'running_time_ns',
    ['time'],
    'running time ns',
    ({ task, services }) => Math.max(0, services.now() - task.startedAtMs) * 1e6,
    hidden,
  ),
  column('running_time', ['time'], 'running time', ({ task, services }) => ({
    ms: Math.max(0, services.now() - task.startedAtMs),
  })),
  column('node_id', ['ni'], 'unique node id', ({ services }) => services.catalogue.clusterUuid, hidden),
  column('ip', ['i'], 'ip address', () => '127.0.0.1'),
  column('port', ['po'], 'bound transport port', () => 9300, hidden),
  column('node', ['n'], 'node name', ({ services }) => services.nodeName),
  column('version', ['v'], 'es version', () => undefined, hidden),
  column('x_opaque_id', ['x'], 'X-Opaque-ID header', ({ task }) => task.headers?.['X-Opaque-Id'] ?? '-', hidden),
  column('description', ['desc'], 'task action', ({ task }) => task.description, hidden),
]

const catTasks = defineRoute({
  name: 'cat.tasks',
  methods: ['GET'],
  paths: ['/_cat/tasks'],
  privilege: { cluster: 'monitor' },
  parameters: {
    ...catParameters,
    nodes: 'list',
    node_id: 'list',
    actions: 'list',
    detailed: 'boolean',
    parent_task_id: 'string',
    parent_task: 'string',
    timeout: 'time',
    wait_for_completion: 'boolean',
  },
  async handle(request, services) {
    const columns =
      request.query['detailed'] === true
        ? taskColumns.map((each) => ({ ...each, shown: each.shown || each.name === 'description' }))
        : taskColumns
    const wanted = nameMatcher((request.query['actions'] as readonly string[] | undefined)?.join(','))
    const tasks = tasksOf(services)
      .list()
      .filter(({ action }) => wanted(action))
    return catAnswer(request, columns, () => tasks.map((task) => ({ task, services })))
  },
})

interface Part {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

const settingsOf = ({ body }: Part): Readonly<Record<string, unknown>> => Object(body['template'])
const countIn = (part: Part, key: string): number => Object.keys(Object(settingsOf(part)[key])).length

const componentColumns: readonly CatColumn<Part & { readonly users: readonly string[] }>[] = [
  column('name', ['n'], 'component template name', ({ name }) => name),
  column('version', ['v'], 'version', ({ body }) => (body['version'] === undefined ? '' : printJson(body['version']))),
  column('alias_count', ['a'], 'alias count', (part) => countIn(part, 'aliases')),
  column(
    'mapping_count',
    ['m'],
    'mapping count',
    (part) => Object.keys(Object(Object(settingsOf(part)['mappings'])['properties'])).length,
  ),
  column('settings_count', ['s'], 'settings count', (part) => countIn(part, 'settings')),
  column('metadata_count', ['me'], 'metadata count', ({ body }) => Object.keys(Object(body['_meta'])).length),
  column('included_in', ['i'], 'included in', ({ users }) => `[${users.join(', ')}]`),
]

const catComponentTemplates = defineRoute({
  name: 'cat.component_templates',
  methods: ['GET'],
  paths: ['/_cat/component_templates', '/_cat/component_templates/{name}'],
  privilege: { cluster: 'monitor' },
  parameters: catParameters,
  handle: (request, { catalogue }) =>
    catAnswer(request, componentColumns, () => {
      const wanted = nameMatcher(request.params['name'])
      const templates = [...catalogue.collection<Readonly<Record<string, unknown>>>('index_template').entries()]
      const usersOf = (name: string): string[] =>
        templates.filter(([, body]) => [body['composed_of'] ?? []].flat().includes(name)).map(([user]) => user)
      return [...catalogue.collection<Readonly<Record<string, unknown>>>('component_template').entries()]
        .filter(([name]) => wanted(name))
        .map(([name, body]) => ({ name, body, users: usersOf(name) }))
    }),
})

/** Tables of what this stack has none of: their columns are there, rows never. */
function emptyTable(
  name: string,
  paths: readonly string[],
  columns: readonly (readonly [name: string, description: string, aliases?: string])[],
  parameters = {},
): Route {
  const shown = columns.map(
    ([label, description, aliases]): CatColumn<never> => ({
      name: label,
      ...(aliases === undefined ? {} : { aliases: aliases.split(',') }),
      description,
      shown: true,
      cell: () => undefined,
    }),
  )
  return defineRoute({
    name: `cat.${name}`,
    methods: ['GET'],
    paths,
    privilege: { cluster: 'monitor' },
    parameters: { ...catParameters, ...parameters },
    handle: (request) => catAnswer(request, shown, () => []),
  })
}

const emptyTables: readonly Route[] = [
  emptyTable(
    'plugins',
    ['/_cat/plugins'],
    [
      ['id', 'unique node id'],
      ['name', 'node name', 'n'],
      ['component', 'component', 'c'],
      ['version', 'component version', 'v'],
      ['description', 'plugin details', 'd'],
    ],
    { include_bootstrap: 'boolean' },
  ),
  emptyTable(
    'pending_tasks',
    ['/_cat/pending_tasks'],
    [
      ['insertOrder', 'task insertion order', 'o'],
      ['timeInQueue', 'how long task has been in queue', 't'],
      ['priority', 'task priority', 'p'],
      ['source', 'task source', 's'],
    ],
  ),
  emptyTable(
    'nodeattrs',
    ['/_cat/nodeattrs'],
    [
      ['node', 'node name', 'name'],
      ['id', 'unique node id', 'id,nodeId'],
      ['pid', 'process id', 'p'],
      ['host', 'host name', 'h'],
      ['ip', 'ip address', 'i'],
      ['port', 'bound transport port', 'po'],
      ['attr', 'attribute description', 'attr.name'],
      ['value', 'attribute value', 'attr.value'],
    ],
  ),
  emptyTable(
    'fielddata',
    ['/_cat/fielddata', '/_cat/fielddata/{fields}'],
    [
      ['id', 'node id'],
      ['host', 'host name', 'h'],
      ['ip', 'ip address'],
      ['node', 'node name', 'n'],
      ['field', 'field name', 'f'],
      ['size', 'field data usage', 's'],
    ],
    { fields: 'list' },
  ),
]

/** `_cat` tables of disk, tasks and component templates, and those that are always empty. */
export const moreTables: readonly Route[] = [catAllocation, catTasks, catComponentTemplates, ...emptyTables]
