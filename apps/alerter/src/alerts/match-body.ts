import { isIP } from 'node:net'
import type { AlertDocument } from '@logstack/contracts'
import { fitsStars } from '@logstack/rules'
import type { AlertingRule } from '../rule-files/rule.ts'
import type { RuleMatch } from '../rule-types/define-rule-type.ts'
import { missingValue, valueAt } from '../rule-values/field-values.ts'

const textCharactersMax = 8192
const listMembersMax = 100

/** The match as ElastAlert shows it: the event's included fields, `_id` and `_index`, and what the rule type and look-ups add. */
export function matchBody(
  rule: Pick<AlertingRule, 'include' | 'queryKey' | 'hasTimeForPeople'>,
  match: RuleMatch,
  found: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const body = plainBody(rule, match, found)
  const time = rule.hasTimeForPeople ? Date.parse(String(body['@timestamp'])) : Number.NaN
  // ElastAlert's pretty_ts: `2026-01-31 23:59 UTC`.
  return Number.isNaN(time)
    ? body
    : { ...body, '@timestamp': `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC` }
}

function plainBody(
  rule: Pick<AlertingRule, 'include' | 'queryKey'>,
  match: RuleMatch,
  found: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { event, fields } = match
  const more = { ...fields, ...found }
  if (event)
    return { ...(bounded(included(event.source, rule.include)) as object), _id: event.id, _index: event.index, ...more }
  const key = rule.queryKey.length > 0 ? { [rule.queryKey.join(',')]: match.key } : {}
  return { '@timestamp': new Date(match.time).toISOString(), ...key, ...more }
}

/** The fields of a rule's key as an event has them, for matches without an event: of a host that is silent, its name is all there is. */
export function keyFields({ queryKey }: Pick<AlertingRule, 'queryKey'>, key: string): Readonly<Record<string, string>> {
  const values = queryKey.length === 1 ? [key] : key.split(', ')
  // A value with a comma of its own cannot be told from two.
  if (values.length !== queryKey.length) return {}
  const known = queryKey.flatMap((field, at) => {
    const value = values[at] ?? missingValue
    return value === missingValue || value === '' ? [] : [[field.replace(/\.keyword$/u, ''), value] as const]
  })
  return Object.fromEntries(known)
}

/** What alerts copy from their event, where it has them. */
export function copiedFields(source: unknown): Pick<AlertDocument, 'host' | 'user' | 'source'> {
  const [host, user, ip] = ['host.name', 'user.name', 'source.ip'].map((field) => valueAt(source, field))
  return {
    ...(host === undefined ? {} : { host: { name: host } }),
    ...(user === undefined ? {} : { user: { name: user } }),
    ...(ip !== undefined && isIP(ip) > 0 ? { source: { ip } } : {}),
  }
}

function included(source: unknown, patterns: readonly string[]): unknown {
  if (patterns.includes('*')) return source
  // A name with dots may be below what a pattern means.
  const isWanted = (path: string): boolean => {
    const steps = path.split('.')
    return steps.some((_, at) => patterns.some((pattern) => fitsStars(steps.slice(0, at + 1).join('.'), pattern)))
  }
  const pick = (node: unknown, path: string): unknown => {
    if (path !== '' && isWanted(path)) return node
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined
    const kept = Object.entries(node).flatMap(([name, inner]) => {
      const picked = pick(inner, path === '' ? name : `${path}.${name}`)
      return picked === undefined ? [] : [[name, picked] as const]
    })
    return kept.length > 0 ? Object.fromEntries(kept) : undefined
  }
  return pick(source, '') ?? {}
}

// An alert holds the event for people to read; what is too long for that is cut.
function bounded(node: unknown): unknown {
  if (typeof node === 'string') return node.length > textCharactersMax ? `${node.slice(0, textCharactersMax)}…` : node
  if (Array.isArray(node)) return node.slice(0, listMembersMax).map(bounded)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, bounded(inner)]))
}
