import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { placesBeside, RulesReader } from './rule-files/rules-folder.ts'
import { elastAlertMatches } from './shipped-elastalert.testing.ts'
import { type SigmaSet, sigmaSet } from './sigma/sigma-set.ts'
import { sigmaMatches } from './sigma/try-sigma.ts'

const rules = fileURLToPath(new URL('../../../rules/', import.meta.url))
const stepSchema = z.strictObject({
  times: z.number().default(1),
  event: z.record(z.string(), z.unknown()),
  then_minutes: z.number().default(0),
})
const caseSchema = z.strictObject({ rule: z.string(), match: z.array(stepSchema), quiet: z.array(stepSchema) })
const start = Date.UTC(2026, 0, 1)

const folder = await new RulesReader(placesBeside(join(rules, 'alerts'))).read()
const documents = folder.sigma.flatMap((file) => file.documents)
const set: SigmaSet = sigmaSet(documents, folder.mappings, { channels: [], levelMin: 'low', realertMs: 0 })
const cases = readdirSync(join(rules, 'tests'))
  .filter((name) => name.endsWith('.yml'))
  .flatMap((name) => z.array(caseSchema).parse(parse(readFileSync(join(rules, 'tests', name), 'utf8'))))
const sigmaCases = cases.filter((each) => set.alerting.has(each.rule))

const elastAlertCases = cases.flatMap((each) => {
  const rule = folder.rules.find(({ id }) => id === each.rule)
  return rule ? [{ ...each, found: rule }] : []
})

function eventsOf({ times, event }: z.output<typeof stepSchema>): { time: number; source: unknown }[] {
  return Array.from({ length: times }, (_, n) => ({
    time: start + n * 1000,
    source: JSON.parse(JSON.stringify(event).replaceAll('{n}', String(n))) as unknown,
  }))
}

test('every shipped file is whole, and every Sigma rule is mapped', () => {
  expect(folder.broken).toEqual([])
  expect(set.leftOut).toEqual([])
})

test('every rule that raises alerts has test events', () => {
  const tested = new Set(cases.map((each) => each.rule))
  const known = new Set([...set.alerting.keys(), ...folder.rules.map(({ id }) => id)])
  expect([...known].filter((id) => !tested.has(id))).toEqual([])
  expect([...tested].filter((id) => !known.has(id))).toEqual([])
})

test.each(sigmaCases)('$rule matches its events, alone among the shipped rules', ({ rule, match }) => {
  const found = new Set(sigmaMatches(set, match.flatMap(eventsOf)).map(({ id }) => id))
  expect([...found]).toEqual([rule])
})

test.each(sigmaCases)('$rule is quiet on what only looks like it', ({ rule, quiet }) => {
  for (const step of quiet) expect(sigmaMatches(set, eventsOf(step)).map(({ id }) => id)).not.toContain(rule)
})

test.each(elastAlertCases)('$rule of ElastAlert’s form matches its events', ({ found, match }) => {
  for (const step of match) expect(elastAlertMatches(found, eventsOf(step), step.then_minutes)).not.toEqual([])
})

test.each(elastAlertCases)('$rule of ElastAlert’s form is quiet on what only looks like it', ({ found, quiet }) => {
  for (const step of quiet) expect(elastAlertMatches(found, eventsOf(step), step.then_minutes)).toEqual([])
})
