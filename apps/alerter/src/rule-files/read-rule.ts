import { createHash } from 'node:crypto'
import type { AlertSeverity } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { z } from 'zod'
import type { Channel } from '../channels/define-channel.ts'
import { channels } from '../channels/registry.ts'
import { ruleTypes } from '../rule-types/registry.ts'
import type { Rule, RuleChannel } from './rule.ts'
import { ruleShape } from './rule-schema.ts'

/** Why a rule file cannot be used, and where: line and column count from 1. */
export interface RuleProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** What a rule file turned out to be. */
export type ReadRule =
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'broken'; readonly problem: RuleProblem }

type Path = readonly PropertyKey[]

const severities: readonly AlertSeverity[] = ['low', 'low', 'medium', 'high', 'critical']

/** Reads the text of a rule file. A key that no part of the rule knows is refused by name. Never throws for what the text holds. */
export function readRule(id: string, text: string): ReadRule {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const broken = (offset: number | undefined, message: string): ReadRule => {
    const { line, col } = offset === undefined ? { line: 1, col: 1 } : lines.linePos(offset)
    return { kind: 'broken', problem: { line, column: col, message } }
  }
  const syntax = document.errors[0]
  if (syntax) return broken(syntax.pos[0], syntax.message)
  if (!isMap(document.contents)) return broken(undefined, 'expected "key: value" lines')
  const at = (path: Path): number | undefined => offsetOf(document.contents as Node, path)

  const raw = plainValue(document)
  if (raw instanceof Error) return broken(undefined, raw.message)
  const head = z.looseObject({ type: ruleShape.type, alert: ruleShape.alert }).safeParse(raw)
  if (!head.success) return issueOf(head.error, at, broken)
  const type = ruleTypes.get(head.data.type)
  if (!type) return broken(at(['type']), `unknown rule type [${head.data.type}]; there are ${list(ruleTypes)}`)
  const named = head.data.alert.map(({ name, overrides }) => ({ name, overrides, channel: channels.get(name) }))
  const strange = named.find(({ channel }) => !channel)
  if (strange) return broken(at(['alert']), `unknown channel [${strange.name}]; there are ${list(channels)}`)
  const known = named.flatMap(({ name, overrides, channel }) => (channel ? [{ name, overrides, channel }] : []))

  const shape = Object.assign({}, ruleShape, type.options, ...known.map(({ channel }) => channel.options))
  const parsed = z.strictObject(shape as typeof ruleShape).safeParse(raw)
  if (!parsed.success) return issueOf(parsed.error, at, broken)
  if (!parsed.data.is_enabled) return { kind: 'disabled' }
  const configured = known.map((entry) => withOptions(entry, raw as Readonly<Record<string, unknown>>))
  const bad = configured.find((entry) => 'problem' in entry)
  if (bad && 'problem' in bad) return broken(at(['alert']), bad.problem)
  const ruleChannels = configured.flatMap((entry) => ('problem' in entry ? [] : [entry]))

  const { name, index, filter, query_key: queryKey, timestamp_field: timestampField, priority } = parsed.data
  const typeOptions: unknown = z.object(type.options).parse(raw)
  const sought = JSON.stringify([type.name, typeOptions, index, filter, queryKey, timestampField])
  const rule: Rule = {
    id,
    name: name ?? id,
    description: parsed.data.description,
    category: parsed.data.category,
    severity: severities[priority] ?? 'medium',
    type,
    typeOptions,
    index,
    filter,
    queryKey: queryKey ?? [],
    timestampField,
    realertMs: parsed.data.realert,
    channels: ruleChannels.map((entry, place) => ({
      ...entry,
      name:
        ruleChannels.findIndex((other) => other.name === entry.name) < place
          ? `${entry.name}:${place + 1}`
          : entry.name,
    })),
    fingerprint: hash(sought),
    revision: hash(text),
  }
  return { kind: 'rule', rule }
}

// Aliases that would blow up, or that point nowhere, are found only here.
function plainValue(document: Document): unknown {
  try {
    return document.toJS()
  } catch (thrown) {
    return new Error(messageOf(thrown), { cause: thrown })
  }
}

// A channel's options are the rule's keys, overridden by those under the channel's name in `alert`.
function withOptions(
  { name, overrides, channel }: { name: string; overrides: Readonly<Record<string, unknown>>; channel: Channel },
  rule: Readonly<Record<string, unknown>>,
): RuleChannel | { problem: string } {
  const own = Object.fromEntries(Object.keys(channel.options).map((key) => [key, rule[key]]))
  const parsed = z.strictObject(channel.options).safeParse({ ...own, ...overrides })
  if (parsed.success) return { name, channel, options: parsed.data }
  return { problem: `${name}: ${parsed.error.issues[0]?.message ?? 'not allowed'}` }
}

function issueOf(
  error: z.ZodError,
  at: (path: Path) => number | undefined,
  broken: (offset: number | undefined, message: string) => ReadRule,
): ReadRule {
  const issue = error.issues[0]
  if (!issue) throw new Error('BUG: a failed parse without an issue')
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    return broken(at([...issue.path, key]), `unknown key [${[...issue.path, key].join('.')}]`)
  }
  const path = issue.path.join('.')
  return broken(at(issue.path), path ? `[${path}]: ${issue.message}` : issue.message)
}

// The offset of the key at a path, or of the nearest node above it that exists.
function offsetOf(node: Node, path: Path): number | undefined {
  const [step, ...rest] = path
  const own = node.range?.[0]
  if (step === undefined) return own
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && key.value === step)
    if (!pair) return own
    const keyOffset = isScalar(pair.key) ? pair.key.range?.[0] : own
    return rest.length === 0 ? keyOffset : (offsetOf(pair.value as Node, rest) ?? keyOffset)
  }
  const member = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined
  return member ? (offsetOf(member as Node, rest) ?? own) : own
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function list(registry: ReadonlyMap<string, unknown>): string {
  return [...registry.keys()].join(', ')
}
