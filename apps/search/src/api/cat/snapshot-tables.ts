import { findRepositories } from '../../snapshots/repositories.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { findSnapshots } from '../snapshots/find-snapshots.ts'
import {
  indicesOfSnapshot,
  type ListedSnapshot,
  nameOf,
  shardsOfSnapshot,
  stateOf,
  timesOf,
} from '../snapshots/show-snapshot.ts'
import { type CatColumn, type Cell, catAnswer, catParameters } from './table.ts'

type Repository = readonly [name: string, repository: { readonly type: string }]

const repositoryColumns: readonly CatColumn<Repository>[] = [
  {
    name: 'id',
    aliases: ['id', 'repoId'],
    description: 'unique repository id',
    shown: true,
    cell: ([name]) => name,
  },
  { name: 'type', aliases: ['t', 'type'], description: 'repository type', shown: true, cell: ([, { type }]) => type },
]

const catRepositories = defineRoute({
  name: 'cat.repositories',
  methods: ['GET'],
  paths: ['/_cat/repositories'],
  privilege: { cluster: 'monitor_snapshot' },
  parameters: { ...catParameters, cluster_manager_timeout: 'time' },
  handle: (request, services) => catAnswer(request, repositoryColumns, () => findRepositories(services, undefined)),
})

function column(
  name: string,
  aliases: readonly string[],
  description: string,
  cell: (listed: ListedSnapshot) => Cell,
  right = false,
): CatColumn<ListedSnapshot> {
  return { name, aliases, description, cell, shown: true, right }
}

const seconds = (ms: number | undefined): Cell => (ms === undefined ? 0 : Math.floor(ms / 1000))
const clock = (ms: number | undefined): Cell => new Date(ms ?? 0).toISOString().slice(11, 19)
const endOf = (listed: ListedSnapshot): number | undefined => timesOf(listed).endMs
const reasonOf = (listed: ListedSnapshot): Cell => ('running' in listed ? listed.running.failure : undefined)

const idColumn = column('id', ['id', 'snapshot'], 'unique snapshot', nameOf)
const repositoryColumn = column('repository', ['re', 'repo'], 'repository name', ({ repository }) => repository)
const otherColumns: readonly CatColumn<ListedSnapshot>[] = [
  column('status', ['s', 'status'], 'snapshot name', stateOf),
  column('start_epoch', ['ste', 'startEpoch'], 'start time in seconds since 1970-01-01 00:00:00', (listed) =>
    seconds(timesOf(listed).startMs),
  ),
  column('start_time', ['sti', 'startTime'], 'start time in HH:MM:SS', (listed) => clock(timesOf(listed).startMs)),
  column('end_epoch', ['ete', 'endEpoch'], 'end time in seconds since 1970-01-01 00:00:00', (listed) =>
    seconds(endOf(listed)),
  ),
  column('end_time', ['eti', 'endTime'], 'end time in HH:MM:SS', (listed) => clock(endOf(listed))),
  column(
    'duration',
    ['dur', 'duration'],
    'duration',
    (listed) => ({
      ms: Math.max(0, (endOf(listed) ?? timesOf(listed).startMs) - timesOf(listed).startMs),
    }),
    true,
  ),
  column('indices', ['i', 'indices'], 'number of indices', (listed) => indicesOfSnapshot(listed).length, true),
  column(
    'successful_shards',
    ['ss', 'successful_shards'],
    'number of successful shards',
    (it) => shardsOfSnapshot(it).successful,
    true,
  ),
  column(
    'failed_shards',
    ['fs', 'failed_shards'],
    'number of failed shards',
    (listed) => shardsOfSnapshot(listed).failed,
    true,
  ),
  column(
    'total_shards',
    ['ts', 'total_shards'],
    'number of total shards',
    (listed) => shardsOfSnapshot(listed).total,
    true,
  ),
  { ...column('reason', ['r', 'reason'], 'reason for failures', reasonOf), shown: false },
]

const catSnapshots = defineRoute({
  name: 'cat.snapshots',
  methods: ['GET'],
  paths: ['/_cat/snapshots', '/_cat/snapshots/{repository}'],
  privilege: { cluster: 'monitor_snapshot' },
  parameters: { ...catParameters, ignore_unavailable: 'boolean', cluster_manager_timeout: 'time' },
  handle(request, services) {
    const { repository } = request.params
    return catAnswer(request, [idColumn, repositoryColumn, ...otherColumns], () =>
      findSnapshots(services, repository, '_all', request.query['ignore_unavailable'] === true),
    )
  },
})

/** The `_cat` tables of repositories and snapshots. */
export const snapshotTables: readonly Route[] = [catRepositories, catSnapshots]
