import { createHash } from 'node:crypto'
import { messageOf } from '@logstack/errors'
import { type RuleProblem, readYamlMaps, type YamlMap, type YamlPath } from '@logstack/rules'
import { meantHint } from '@logstack/spelling'
import { z } from 'zod'
import type { Channel } from '../channels/define-channel.ts'
import { channels } from '../channels/registry.ts'
import type { RuleType } from '../rule-types/define-rule-type.ts'
import { ruleTypes, windowTypes } from '../rule-types/registry.ts'
import { durationUnits } from '../rule-values/duration.ts'
import { buildRule } from './build-rule.ts'
import { composeRule, type ReadOther } from './compose.ts'
import { notFromPeople, withoutOthersSecrets } from './from-people.ts'
import type { Rule, RuleChannel } from './rule.ts'
import { connectionKeys, ruleShape, unsupportedKeys } from './rule-schema.ts'
import { unknownName } from './unknown-name.ts'

export type { RuleProblem }

/** What a rule file turned out to be. */
export type ReadRule =
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'disabled'; readonly name: string; readonly type: string }
  | { readonly kind: 'broken'; readonly problem: RuleProblem }

/** What a rule file is read with: other files by name, and values for keys it does not give. */
export interface RuleSurroundingsOnLoad {
  readonly readOther?: ReadOther
  readonly defaults?: Readonly<Record<string, unknown>>
  /** Whether somebody wrote it in the dashboard, who is not therefore somebody on the host (`notFromPeople`). */
  readonly isFromPeople?: boolean
  /** The spans a rule has that gives none, in milliseconds. */
  readonly bufferMs?: number
}

const noOther: ReadOther = (name) => {
  throw new Error(`cannot read [${name}] here`)
}

interface NamedChannel {
  readonly name: string
  readonly overrides: Readonly<Record<string, unknown>>
  readonly channel: Channel
}

/** Reads the text of a rule file. A key that no part of the rule knows is refused by name. Never throws for what the text holds. */
export function readRule(id: string, text: string, surroundings: RuleSurroundingsOnLoad = {}): ReadRule {
  const maps = readYamlMaps(text)
  if ('problem' in maps) return { kind: 'broken', problem: maps.problem }
  const [yaml, second] = maps
  if (!yaml) throw new Error('BUG: a file without documents was read')
  if (second) return { kind: 'broken', problem: second.problemAt([], 'a rule file of ElastAlert holds one document') }
  const broken = (path: YamlPath, message: string): ReadRule => ({
    kind: 'broken',
    problem: yaml.problemAt(path, message),
  })
  let given: Record<string, unknown>
  try {
    given = withoutConnection(composeRule(yaml.value, surroundings.readOther ?? noOther))
  } catch (thrown) {
    return broken(['import'], messageOf(thrown))
  }
  const refused = Object.keys(given).find((key) => Object.hasOwn(unsupportedKeys, key))
  if (refused !== undefined) return broken([refused], `[${refused}] is not supported: ${unsupportedKeys[refused]}`)
  const forbidden = surroundings.isFromPeople ? notFromPeople(given) : undefined
  if (forbidden !== undefined) return broken(['alert'], forbidden)
  if (given['type'] === undefined)
    return broken([], 'this is no rule: it has neither type, as rules of ElastAlert, nor detection, as those of Sigma')
  const withDefaultAlert = { alert: surroundings.defaults?.['alert'], ...given }
  const head = z.looseObject({ type: ruleShape.type, alert: ruleShape.alert }).safeParse(withDefaultAlert)
  if (!head.success) return issueOf(head.error, yaml, broken)
  const type = ruleTypes.get(head.data.type)
  if (!type) return broken(['type'], unknownType(head.data.type))
  const named = head.data.alert.map(({ name, overrides }) => ({ name, overrides, channel: channels.get(name) }))
  const strange = named.find(({ channel }) => !channel)
  if (strange) return broken(['alert'], unknownName('channel', strange.name, channels.keys()))
  const known = named.flatMap(({ name, overrides, channel }) => (channel ? [{ name, overrides, channel }] : []))
  return readWhole({ id, text, type, known, own: given, given: withDefaultAlert, yaml, broken, surroundings })
}

function withoutConnection(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const unused = new Set<string>(connectionKeys)
  return Object.fromEntries(Object.entries(given).filter(([key]) => !unused.has(key)))
}

interface HalfRead {
  readonly id: string
  readonly text: string
  readonly type: RuleType
  readonly known: readonly NamedChannel[]
  /** What the file says. */
  readonly own: Readonly<Record<string, unknown>>
  /** With the channels of all rules where it names none. */
  readonly given: Readonly<Record<string, unknown>>
  readonly yaml: YamlMap
  readonly surroundings: RuleSurroundingsOnLoad
  broken(path: YamlPath, message: string): ReadRule
}

function readWhole({ id, text, type, known, own, given, yaml, broken, surroundings }: HalfRead): ReadRule {
  const shape = Object.assign({}, ruleShape, type.options, ...known.map(({ channel }) => channel.options))
  const defaults = Object.entries(surroundings.defaults ?? {}).filter(([key]) => Object.hasOwn(shape, key))
  const raw = { ...Object.fromEntries(defaults), ...given }
  const parsed = z.strictObject(shape as typeof ruleShape).safeParse(raw)
  if (!parsed.success) return issueOf(parsed.error, yaml, broken, Object.keys(shape))
  const options = parsed.data
  if (!options.is_enabled) return { kind: 'disabled', name: options.name ?? id, type: type.name }
  const configured = known.map((entry) => withOptions(entry, raw, { file: own, surroundings }))
  const bad = configured.find((entry) => 'problem' in entry)
  if (bad && 'problem' in bad) return broken(['alert'], bad.problem)
  const typeOptions: unknown = z.object(type.options).parse(raw)
  const queryKey = options.query_key ?? []
  const bufferMs = options.buffer_time ?? surroundings.bufferMs ?? 900_000
  const useTermsQuery = z
    .looseObject({ use_terms_query: z.boolean().default(false) })
    .parse(typeOptions).use_terms_query
  if (useTermsQuery && queryKey.length !== 1) return broken(['use_terms_query'], 'use_terms_query needs one query_key')
  const problem = type.check(typeOptions, { queryKey, bufferMs, useTermsQuery })
  if (problem !== undefined) return broken(['type'], problem)
  if (options.scan_entire_timeframe && given['timeframe'] === undefined)
    return broken(['scan_entire_timeframe'], 'scan_entire_timeframe needs timeframe')
  const rule = buildRule({
    id,
    type,
    typeOptions,
    options,
    // What all rules have in common may be a password, which must not come into the text of an alert.
    raw: surroundings.isFromPeople ? given : raw,
    channels: withOwnNames(configured.flatMap((entry) => ('problem' in entry ? [] : [entry]))),
    revision: createHash('sha256')
      .update(JSON.stringify([text, raw]))
      .digest('base64url'),
  })
  const unread = rule.query && whyNotRead(rule, rule.query.language)
  return unread === undefined ? { kind: 'rule', rule } : broken(['filter'], unread)
}

// What counts or sums up is a search of its own, which no query in another language can be a part of; ElastAlert refuses it, too.
function whyNotRead({ typeName, reads }: Rule, language: string): string | undefined {
  if (windowTypes.has(typeName))
    return `${typeName} cannot be combined with an ${language} filter: it asks for aggregations; use the query DSL, query_string or kql`
  if (reads === 'events') return undefined
  return `use_${reads}_query cannot be combined with an ${language} filter: leave it away, or use the query DSL, query_string or kql`
}

// A channel's options are the rule's keys, overridden by those under the channel's name in `alert`.
function withOptions(
  { name, overrides, channel }: NamedChannel,
  rule: Readonly<Record<string, unknown>>,
  {
    file,
    surroundings,
  }: { readonly file: Readonly<Record<string, unknown>>; readonly surroundings: RuleSurroundingsOnLoad },
): RuleChannel | { problem: string } {
  const own = Object.fromEntries(Object.keys(channel.options).map((key) => [key, rule[key]]))
  const all = { ...own, ...overrides }
  const namesChannels = Object.hasOwn(file, 'alert')
  const given = { ...file, ...(namesChannels ? overrides : {}) }
  const defaults = { ...surroundings.defaults, ...(namesChannels ? {} : overrides) }
  const options = surroundings.isFromPeople ? withoutOthersSecrets(channel, all, { given, defaults }) : all
  const parsed = z.strictObject(channel.options).safeParse(options)
  if (parsed.success) return { name, channel, options: parsed.data }
  const issue = parsed.error.issues[0]
  const path = issue?.path.join('.') ?? ''
  return { problem: `${name}: ${path === '' ? '' : `[${path}]: `}${issue?.message ?? 'not allowed'}` }
}

function withOwnNames(entries: readonly RuleChannel[]): RuleChannel[] {
  return entries.map((entry, place) => {
    const isFirst = entries.findIndex((other) => other.name === entry.name) === place
    return { ...entry, name: isFirst ? entry.name : `${entry.name}:${place + 1}` }
  })
}

function issueOf(
  error: z.ZodError,
  yaml: YamlMap,
  broken: (path: YamlPath, message: string) => ReadRule,
  known: readonly string[] = [],
): ReadRule {
  const issue = deepest(error.issues)
  if (!issue) throw new Error('BUG: a failed parse without an issue')
  if (issue.code === 'invalid_type' && /received undefined$/u.test(issue.message))
    return broken(issue.path, `[${issue.path.join('.')}] is missing`)
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    // Within a key, only spans of time have names that are mistyped.
    const hint = meantHint(key, issue.path.length === 0 ? known : durationUnits)
    return broken([...issue.path, key], `unknown key [${[...issue.path, key].join('.')}]${hint}`)
  }
  const path = issue.path.join('.')
  const isImported = issue.path[0] !== undefined && !Object.hasOwn(yaml.value, issue.path[0])
  const from = isImported && issue.code !== 'invalid_type' ? ' (from import or defaults)' : ''
  return broken(issue.path, path ? `[${path}]: ${issue.message}${from}` : issue.message)
}

// Of a union that no member fits, the issue of the member that came farthest says most.
function deepest(
  issues: readonly z.core.$ZodIssue[],
  above: readonly PropertyKey[] = [],
): z.core.$ZodIssue | undefined {
  const [first] = issues
  if (!first) return undefined
  const here = { ...first, path: [...above, ...first.path] }
  if (here.code !== 'invalid_union') return here
  const inner = here.errors.map((member) => deepest(member, here.path)).filter((issue) => issue !== undefined)
  const specific = inner.filter((issue) => issue.code !== 'invalid_type' || issue.path.length > here.path.length)
  return specific.sort((left, right) => right.path.length - left.path.length)[0] ?? inner[0] ?? here
}

function unknownType(name: string): string {
  if (name.includes('.'))
    return `rule type [${name}] is a Python class, which cannot be run here; there are ${[...ruleTypes.keys()].join(', ')}`
  return unknownName('rule type', name, ruleTypes.keys())
}
