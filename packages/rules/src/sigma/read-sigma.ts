import { z } from 'zod'
import { type RuleProblem, readYamlMaps, type YamlMap } from '../read-yaml.ts'
import { type OldCount, type Parts, readCondition } from './condition.ts'
import { allOf, anyOf, type Detection, SigmaProblem } from './detection.ts'
import { itemDetection, type Placeholders, type Scalar } from './modifiers.ts'
import { readCorrelation } from './read-correlation.ts'
import type { LogSource, SigmaCorrelation, SigmaDocument, SigmaHead, SigmaLevel } from './sigma-rule.ts'
import { readTimespan } from './timespan.ts'

const levels: readonly SigmaLevel[] = ['informational', 'low', 'medium', 'high', 'critical']
const words = z
  .union([z.string().transform((one) => [one]), z.array(z.unknown()).transform((all) => all.map(String))])
  .nullish()
const word = z.union([z.string(), z.number().transform(String)])

const headSchema = z.looseObject({
  title: z.string().min(1, 'a rule needs a title'),
  id: word.optional(),
  name: z.string().optional(),
  description: z.string().nullish(),
  status: z.string().nullish(),
  level: z.enum(levels as ['low']).nullish(),
  author: z.union([z.string(), z.array(z.string()).transform((all) => all.join(', '))]).nullish(),
  references: words,
  tags: words,
  falsepositives: words,
})
const logSourceSchema = z.looseObject({ product: word.nullish(), category: word.nullish(), service: word.nullish() })

/** What a Sigma file holds: its documents, or where it goes wrong. Several documents (`---`) may stand in one file. */
export type ReadSigma = { readonly documents: readonly SigmaDocument[] } | { readonly problem: RuleProblem }

/** Whether a YAML document is Sigma's: it has a detection, a correlation or a filter with a log source. */
export function isSigma(value: Readonly<Record<string, unknown>>): boolean {
  const isMap = (key: string): boolean =>
    typeof value[key] === 'object' && value[key] !== null && !Array.isArray(value[key])
  return isMap('detection') || isMap('correlation') || (isMap('filter') && isMap('logsource'))
}

/** Reads a Sigma file, its text or what `readYamlMaps` made of it; `file` names documents without an id. Never throws for what it holds. */
export function readSigma(
  file: string,
  text: string | readonly YamlMap[],
  placeholders: Placeholders = new Map(),
): ReadSigma {
  const maps = typeof text === 'string' ? readYamlMaps(text) : text
  if ('problem' in maps) return maps
  const documents: SigmaDocument[] = []
  for (const [at, map] of maps.entries()) {
    try {
      documents.push(...readDocument(map, at === 0 ? file : `${file}#${at + 1}`, placeholders))
    } catch (thrown) {
      if (thrown instanceof SigmaProblem) return { problem: map.problemAt(thrown.path, thrown.message) }
      throw thrown
    }
  }
  return { documents }
}

function readDocument({ value }: YamlMap, ownId: string, placeholders: Placeholders): SigmaDocument[] {
  const head = headOf(value, ownId)
  if (value['action'] !== undefined)
    throw new SigmaProblem(['action'], '[action] of old Sigma is not supported; write whole rules')
  if (value['correlation'] !== undefined) return [readCorrelation(head, value['correlation'])]
  const logSource = logSourceOf(value)
  if (value['filter'] !== undefined) {
    const { rules, ...parts } = asMap(value['filter'], ['filter'])
    const { detection } = readParts(parts, 'filter', placeholders)
    const named = typeof rules === 'string' && rules.toLowerCase() === 'any' ? undefined : rules
    const list =
      named === undefined ? undefined : z.union([z.string().transform((one) => [one]), z.array(word)]).safeParse(named)
    if (list && !list.success) throw new SigmaProblem(['filter', 'rules'], 'expected ids or names of rules')
    return [{ kind: 'filter', ...head, logSource, rules: list?.data, detection }]
  }
  if (value['detection'] === undefined) throw new SigmaProblem([], 'a Sigma rule has detection, correlation or filter')
  const read = readParts(asMap(value['detection'], ['detection']), 'detection', placeholders)
  const rule = { kind: 'rule' as const, ...head, logSource, detection: read.detection }
  return read.count ? [{ ...rule, id: `${head.id}/events` }, oldCorrelation(head, read.count, read.timespanMs)] : [rule]
}

function headOf(value: Readonly<Record<string, unknown>>, ownId: string): SigmaHead {
  const parsed = headSchema.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new SigmaProblem(issue?.path ?? [], `[${issue?.path.join('.')}]: ${issue?.message}`)
  }
  const { title, id, name, description, status, level, author, references, tags, falsepositives } = parsed.data
  return {
    title,
    id: id ?? ownId,
    name,
    description: description ?? undefined,
    status: status ?? undefined,
    level: level ?? 'medium',
    author: author ?? undefined,
    references: references ?? [],
    tags: tags ?? [],
    falsePositives: falsepositives ?? [],
  }
}

function logSourceOf(value: Readonly<Record<string, unknown>>): LogSource {
  const parsed = logSourceSchema.safeParse(value['logsource'])
  if (!parsed.success) throw new SigmaProblem(['logsource'], 'expected product, category or service')
  const lower = (text: string | null | undefined): string | undefined => text?.toLowerCase()
  const { product, category, service } = parsed.data
  return { product: lower(product), category: lower(category), service: lower(service) }
}

function readParts(
  map: Readonly<Record<string, unknown>>,
  under: 'detection' | 'filter',
  placeholders: Placeholders,
): { readonly detection: Detection; readonly count: OldCount | undefined; readonly timespanMs: number | undefined } {
  const { condition, timeframe, ...named } = map
  const parts: Parts = new Map(
    Object.entries(named).map(([name, part]) => [name, partDetection(part, [under, name], placeholders)]),
  )
  const path = [under, 'condition']
  const conditions = Array.isArray(condition) ? condition : [condition]
  const read = conditions.map((text) => {
    if (typeof text !== 'string') throw new SigmaProblem(path, 'expected a condition')
    return readCondition(text, parts, path)
  })
  const [first] = read
  if (!first) throw new SigmaProblem(path, 'expected a condition')
  if (read.length > 1 && read.some(({ count }) => count))
    throw new SigmaProblem(path, 'one of several conditions cannot count')
  const timespanMs = timeframe === undefined ? undefined : readTimespan(timeframe, [under, 'timeframe'])
  return { detection: anyOf(read.map(({ detection }) => detection)), count: first.count, timespanMs }
}

// A map is all of its items, a list is any of its members: maps, or words that are looked for anywhere.
function partDetection(part: unknown, path: readonly PropertyKey[], placeholders: Placeholders): Detection {
  if (Array.isArray(part)) {
    if (part.length === 0) throw new SigmaProblem(path, 'this part of the detection is empty')
    return anyOf(part.map((member, at) => partDetection(member, [...path, at], placeholders)))
  }
  if (typeof part === 'object' && part !== null && !(part instanceof Date)) {
    const items = Object.entries(part)
    if (items.length === 0) throw new SigmaProblem(path, 'this part of the detection is empty')
    return allOf(
      items.map(([key, value]) => itemDetection(key, scalars(value, [...path, key]), [...path, key], placeholders)),
    )
  }
  return itemDetection('', scalars(part, path), path, placeholders)
}

function scalars(value: unknown, path: readonly PropertyKey[]): Scalar[] {
  const list = Array.isArray(value) ? value : [value]
  return list.map((member: unknown) => {
    if (member instanceof Date) return member.toISOString()
    if (typeof member === 'bigint') return member.toString()
    if (member === null || ['string', 'number', 'boolean'].includes(typeof member)) return member as Scalar
    throw new SigmaProblem(path, 'expected a value or a list of values')
  })
}

function asMap(value: unknown, path: readonly PropertyKey[]): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new SigmaProblem(path, 'expected "key: value" lines')
}

function oldCorrelation(head: SigmaHead, count: OldCount, timespanMs: number | undefined): SigmaCorrelation {
  if (timespanMs === undefined) throw new SigmaProblem(['detection'], 'a condition that counts needs timeframe')
  if (count.operator === 'lt' || count.operator === 'lte')
    throw new SigmaProblem(['detection', 'condition'], 'counting less than a number is not supported')
  return {
    kind: 'correlation',
    ...head,
    type: count.field === undefined ? 'event_count' : 'value_count',
    rules: [`${head.id}/events`],
    groupBy: count.groupBy,
    timespanMs,
    condition: { [count.operator]: count.value },
    fields: count.field === undefined ? [] : [count.field],
    aliases: new Map(),
    generate: false,
  }
}
