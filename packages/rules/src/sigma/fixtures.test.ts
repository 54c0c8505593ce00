import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readMapping } from './mapping.ts'
import { SigmaMatcher } from './matcher.ts'
import { readSigma } from './read-sigma.ts'
import type { SigmaRule } from './sigma-rule.ts'
import { fromEventLog } from './windows-event.testing.ts'

// Rules of SigmaHQ, each in a folder with the Windows event it must match. They are not part of this repository: the folder is named by
// LOGSTACK_SIGMA_FIXTURES, or stands beside the checkout.

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const folder = process.env['LOGSTACK_SIGMA_FIXTURES'] ?? join(root, '../shared/fixtures/sigma')
const isThere = existsSync(folder)

const mappings = readdirSync(join(root, 'rules/mappings'))
  .filter((name) => name !== 'placeholders.yml')
  .map((name) => {
    const read = readMapping(name, readFileSync(join(root, 'rules/mappings', name), 'utf8'))
    if ('problem' in read) throw new Error(`${name}:${read.problem.line}: ${read.problem.message}`)
    return read.mapping
  })

const cases = isThere ? readdirSync(folder).map((name) => ({ name, rules: rulesOf(name), events: eventsOf(name) })) : []

function rulesOf(name: string): readonly SigmaRule[] {
  const read = readSigma(name, readFileSync(join(folder, name, 'rule.yml'), 'utf8'))
  if ('problem' in read) throw new Error(`${name}:${read.problem.line}:${read.problem.column}: ${read.problem.message}`)
  return read.documents.filter((document) => document.kind === 'rule')
}

// A file holds one JSON document after another.
function eventsOf(name: string): readonly unknown[] {
  const text = readFileSync(join(folder, name, 'event.json'), 'utf8').trim()
  return text.split(/(?<=^\})\s*\n(?=\{)/mu).map((part) => fromEventLog(JSON.parse(part)))
}

describe.skipIf(!isThere)('the rules of SigmaHQ and their events', () => {
  const matcher = new SigmaMatcher(
    cases.flatMap(({ rules }) => rules),
    mappings,
  )

  test('all are mapped', () => {
    expect(matcher.unmapped.map(({ rule, reason }) => `${rule.title}: ${reason}`)).toEqual([])
    expect(matcher.size).toBe(cases.length)
  })

  test.each(cases)('$name matches its event', ({ rules, events }) => {
    const found = events.flatMap((event) => matcher.match(event))
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(rules.map(({ id }) => id)))
  })

  test('looking at all rules together finds what looking at each by itself does', () => {
    const single = cases.map(({ rules }) => new SigmaMatcher(rules, mappings))
    for (const { events } of cases)
      for (const event of events) {
        const alone = single.flatMap((one) => one.match(event)).map(({ id }) => id)
        expect(
          matcher
            .match(event, 'winlogbeat-8')
            .map(({ id }) => id)
            .sort(),
        ).toEqual(alone.sort())
      }
  })
})
