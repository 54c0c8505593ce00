import { AppError, searchErrors } from '@logstack/errors'
import { fitsStars } from '@logstack/rules'
import { activityOf } from '../../snapshots/activity.ts'
import { snapshotMissing } from '../../snapshots/collect-garbage.ts'
import type { SnapshotServices } from '../../snapshots/create-snapshot.ts'
import { filesOf, findRepositories } from '../../snapshots/repositories.ts'
import type { RouteRequest } from '../define-route.ts'
import { indicesOfSnapshot, type ListedSnapshot, nameOf, shardsOfSnapshot, timesOf } from './show-snapshot.ts'

/** All snapshots of a repository, those under way and those that failed since the start among them, oldest first. */
async function listSnapshots(services: SnapshotServices, repository: string): Promise<ListedSnapshot[]> {
  const activity = activityOf(services)
  const { records } = await (await filesOf(services, repository)).records()
  const others = [...activity.running(repository), ...activity.failed(repository)]
  const there = new Set(records.map(({ uuid }) => uuid))
  return [
    ...records.map((record) => ({ repository, record })),
    ...others.filter(({ uuid }) => !there.has(uuid)).map((running) => ({ repository, running })),
  ]
}

function isCurrent(listed: ListedSnapshot): boolean {
  return 'running' in listed && listed.running.failure === undefined
}

/** Names and patterns, a later `-x` takes away; `_all` and `_current` as Elasticsearch has them. Throws `snapshot_missing_exception`. */
export async function findSnapshots(
  services: SnapshotServices,
  repositories: string | undefined,
  expression: string,
  ignoreUnavailable: boolean,
): Promise<ListedSnapshot[]> {
  const found: ListedSnapshot[] = []
  const asked = expression.split(',')
  for (const [repository] of findRepositories(services, repositories)) {
    const all = await listSnapshots(services, repository)
    const names = new Set(all.map(nameOf))
    const isName = (one: string): boolean => !one.includes('*') && one !== '_all' && one !== '_current'
    const missing = asked.find((one, at) => isName(one) && !names.has(one) && !(at > 0 && one.startsWith('-')))
    if (missing !== undefined && !ignoreUnavailable) throw snapshotMissing(repository, missing)
    found.push(...all.filter((listed) => fits(listed, asked)))
  }
  return found
}

function fits(listed: ListedSnapshot, asked: readonly string[]): boolean {
  let is = false
  for (const [at, one] of asked.entries()) {
    if (at > 0 && one.startsWith('-') && fitsStars(nameOf(listed), one.slice(1))) is = false
    else if (one === '_current') is ||= isCurrent(listed)
    else if (one === '_all' || fitsStars(nameOf(listed), one)) is = true
  }
  return is
}

const orders: Readonly<Record<string, (listed: ListedSnapshot) => number | string>> = {
  start_time: (listed) => timesOf(listed).startMs,
  duration: (listed) => (timesOf(listed).endMs ?? timesOf(listed).startMs) - timesOf(listed).startMs,
  name: nameOf,
  repository: ({ repository }) => repository,
  index_count: (listed) => indicesOfSnapshot(listed).length,
  shard_count: (listed) => shardsOfSnapshot(listed).total,
  failed_shard_count: (listed) => shardsOfSnapshot(listed).failed,
}

/** The values that `sort` takes. */
export const sortNames: readonly string[] = Object.keys(orders)

/** The part of a list that a request asks for by `sort`, `order`, `offset` and `size`, and how many come after it. */
export function pageOf(
  found: readonly ListedSnapshot[],
  query: RouteRequest['query'],
): { readonly page: readonly ListedSnapshot[]; readonly remaining: number } {
  const value = orders[String(query['sort'] ?? 'start_time')] ?? timesOf
  const sign = query['order'] === 'desc' ? -1 : 1
  const compare = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)
  const sorted = [...found].sort((a, b) => sign * (compare(value(a), value(b)) || compare(nameOf(a), nameOf(b))))
  const offset = Number(query['offset'] ?? 0)
  const size = Number(query['size'] ?? -1)
  if (offset < 0) throw new AppError(searchErrors.illegal_argument_exception, '[offset] must not be negative')
  if (size === 0 || size < -1)
    throw new AppError(
      searchErrors.action_request_validation_exception,
      'Validation Failed: 1: size must be -1 or greater than 0;',
    )
  const page = sorted.slice(offset, size === -1 ? undefined : offset + size)
  return { page, remaining: Math.max(0, sorted.length - offset - page.length) }
}
