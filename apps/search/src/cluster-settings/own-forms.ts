import { auditEvents } from '../model/audit-events.ts'
import { illegalArgument } from '../refusals/refuse.ts'
import { readBytes, readTime } from '../values/unit-values.ts'
import { integer } from './kinds.ts'

/** `true`, `false`, or patterns with and without `-`. */
export function checkAutoCreate(setting: string, text: string): void {
  if (text === 'true' || text === 'false') return
  const empty = text.split(',').find((rule) => /^\s*[+-]?\s*$/.test(rule))
  if (empty === undefined) return
  const sign = empty.trim()
  const cause =
    sign === ''
      ? undefined
      : illegalArgument(`Can't parse [${text}] for setting [${setting}] must contain an index name after [${sign}]`)
  throw illegalArgument(
    `Can't parse [${text}] for setting [${setting}] must be either [true, false, or a comma separated list of index patterns]`,
    cause,
  )
}

const countOrSize = {
  age: readTime,
  docs: (setting: string, text: string) => integer(0).check(setting, text),
  size: readBytes,
  primary_shard_size: readBytes,
  primary_shard_docs: (setting: string, text: string) => integer(0).check(setting, text),
} as const

/** Conditions of rollover, as `max_age=auto,min_docs=1`. */
export function checkDefaultRollover(setting: string, text: string): void {
  for (const pair of text.split(',')) {
    const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    if (name === undefined || value === undefined)
      throw illegalArgument(`Invalid condition: '${pair}', format must be 'condition=value'`)
    const what = /^(?:max|min)_(.+)$/.exec(name)?.[1] ?? ''
    if (!Object.hasOwn(countOrSize, what)) throw illegalArgument(`Unknown condition: '${name}'`)
    if (name !== 'max_age' || value !== 'auto') countOrSize[what as keyof typeof countOrSize](setting, value)
  }
}

/** Events of Elasticsearch that do not arise here; whoever names them asks for nothing else. */
const otherEvents = [
  'realm_authentication_failed',
  'tampered_request',
  'connection_granted',
  'connection_denied',
  'system_access_granted',
]

/** Names of audit events, in any case of letters, with commas. */
export function checkAuditEvents(_setting: string, text: string): void {
  const known: readonly string[] = ['_all', ...auditEvents, ...otherEvents]
  for (const name of text.split(',').map((each) => each.trim())) {
    if (name !== '' && !known.includes(name.toLowerCase()))
      throw illegalArgument(`invalid event name specified [${name}]`)
  }
}

/** So many scripts in so much time (`150/5m`), or none (`use-context`, which sets no limit of the cluster's). */
export function checkCompilationRate(setting: string, text: string): void {
  if (text === 'use-context') return
  const [, count, per] = /^(\d+)\/(.+)$/.exec(text) ?? []
  if (count === undefined || per === undefined)
    throw illegalArgument(`parameter must contain a positive integer and a timevalue, i.e. 10/1m, but was [${text}]`)
  if (readTime(setting, per) < 60_000)
    throw illegalArgument(`time value [${per}] must be at least on a one minute resolution`)
}

const levels = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL']

/** A level of a logger. */
export function checkLevel(_setting: string, text: string): void {
  if (text !== '' && !levels.includes(text.toUpperCase()))
    throw illegalArgument(`Unknown level constant [${text.toUpperCase()}].`)
}
