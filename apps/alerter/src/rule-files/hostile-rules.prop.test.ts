import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assembleRules, isSigma, readSigma, readYamlMaps, SigmaMatcher } from '@logstack/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChannelsFile } from './channels-file.ts'
import { readRule } from './read-rule.ts'
import { RulesReader } from './rules-folder.ts'

// Rule files that want to harm: a named problem with its place, whatever they hold, without taking for ever or filling the memory.
// LOGSTACK_FUZZ_RUNS says how many damaged files are tried.

const runs = Number(process.env['LOGSTACK_FUZZ_RUNS'] ?? 100)
const rules = fileURLToPath(new URL('../../../../rules/', import.meta.url))
const { mappings } = await new RulesReader({
  rules: join(rules, 'alerts'),
  sigma: join(rules, 'none'),
  mappings: join(rules, 'mappings'),
  channels: join(rules, 'none.yml'),
}).read()

interface Outcome {
  readonly problem?: { readonly line: number; readonly column: number; readonly message: string }
}

/** What becomes of a rule file, read as the alerter reads it and, when it is one of Sigma's, shown an event. */
function outcomeOf(text: string): Outcome {
  const maps = readYamlMaps(text)
  if ('problem' in maps) return maps
  if (!maps.some(({ value }) => isSigma(value))) {
    const read = readRule('hostile', text)
    return read.kind === 'broken' ? read : {}
  }
  const read = readSigma('hostile', maps)
  if ('problem' in read) return read
  const matcher = new SigmaMatcher(assembleRules(read.documents).rules, mappings)
  matcher.match({ message: `${'a'.repeat(50_000)}!`, process: { name: 'sshd' } }, 'logs-hostile')
  return {}
}

const sigma = (detection: string): string => `title: t\nlogsource: {product: linux}\ndetection:\n${detection}\n`
const frequency = (lines: string): string => `type: frequency\nindex: a\nalert: debug\nnum_events: 2\n${lines}\n`
const laughs = ['l0: &l0 [x, x, x, x, x, x, x, x, x, x]']
for (let n = 1; n < 12; n++) laughs.push(`l${n}: &l${n} [${Array.from({ length: 10 }, () => `*l${n - 1}`).join(', ')}]`)

test.each([
  ['aliases that multiply', `${laughs.join('\n')}\ntype: any\n`, /alias/i],
  ['an alias to itself', 'type: any\nindex: a\nalert: debug\nfilter: &f [*f]\n', /./],
  ['brackets without end', `type: ${'['.repeat(200_000)}`, /nested deeper/],
  ['lists within lists', `type: ${'- '.repeat(50_000)}x`, /nested deeper/],
  ['a banner over a broken line', `${'#'.repeat(5000)}\ntype: [\n`, /./],
  ['a time beyond all', frequency('timeframe: {weeks: 1.0e300}'), /longer than 100 years/],
  ['endless numbers', frequency('timeframe: {minutes: .inf}'), /timeframe/],
  [
    'a count that is a list',
    'type: frequency\nindex: a\nalert: debug\nnum_events: [1]\ntimeframe: {minutes: 1}\n',
    /num_events/,
  ],
  ['the names of objects', 'type: any\nindex: a\nalert: debug\nconstructor: 1\n__proto__: {type: x}\n', /unknown key/],
  ['a type of objects', 'type: constructor\nindex: a\nalert: debug\n', /unknown rule type/],
  ['a channel of objects', 'type: any\nindex: a\nalert: toString\n', /unknown channel/],
  ['brackets in KQL', `type: any\nindex: a\nalert: debug\nfilter: [{kql: "${'('.repeat(20_000)}"}]\n`, /./],
  ['not after not', sigma(`  s: {message: x}\n  condition: ${'not '.repeat(20_000)}s`), /nests deeper/],
  ['brackets in a condition', sigma(`  s: {message: x}\n  condition: ${'('.repeat(20_000)}s`), /nests deeper/],
  ['a lookbehind', sigma("  s: {message|re: '(?<=a)b'}\n  condition: s"), /regular expression/],
  ['repeats of repeats', sigma("  s: {message|re: '((a{1000}){1000}){1000}'}\n  condition: s"), /regular expression/],
  ['a long expression', sigma(`  s: {message|re: '${'a'.repeat(5000)}'}\n  condition: s`), /longer than/],
  [
    'a time of Sigma beyond all',
    `${sigma('  s: {message: x}\n  condition: s | count() > 3\n  timeframe: 999999d')}`,
    /90 days/,
  ],
])('%s is a named problem', (_what, text, message) => {
  const { problem } = outcomeOf(text)
  expect(problem?.message).toMatch(message)
  expect(Math.min(problem?.line ?? 0, problem?.column ?? 0)).toBeGreaterThan(0)
})

test.each([
  ['an expression that goes back and forth', sigma("  s: {message|re: '^(a+)+$'}\n  condition: s")],
  ['alternatives of the same', sigma("  s: {message|re: '(a|a|aa)*b'}\n  condition: s")],
  ['a text of stars', sigma(`  s: {message: '${'*a'.repeat(2000)}*b'}\n  condition: s`)],
  [
    'a pattern of stars over long names',
    sigma(`  ${'a'.repeat(1000)}: {message: x}\n  condition: 1 of ${'a*'.repeat(400)}`),
  ],
])('%s takes no longer than the event is long', (_what, text) => {
  expect(outcomeOf(text)).toEqual({})
})

test.each([
  ['the names of objects', 'constructor: x'],
  ['a method', 'toString: [1]'],
  ['a banner over a broken line', `${'#'.repeat(5000)}\nsigma: [`],
  ['a prototype', '__proto__: {alert: debug}'],
])('channels.yml with %s is a named problem', (_what, text) => {
  expect(readChannelsFile(text)).toHaveProperty('problem.message')
})

const shipped = ['alerts', 'sigma'].flatMap((folder) =>
  readdirSync(join(rules, folder)).map((name) => readFileSync(join(rules, folder, name), 'utf8')),
)
const junk = [
  '*',
  '&a ',
  '*a',
  '[',
  '{',
  '}',
  '- ',
  '"',
  "'",
  ': ',
  '!!js ',
  '|\n',
  '\0',
  '\uFEFF',
  '<<: ',
  '..',
  '1e99',
]

test('a shipped rule file damaged in any place is a rule or a named problem, never an exception', () => {
  const damage = fc.tuple(fc.nat(4000), fc.nat(40), fc.constantFrom(...junk), fc.nat(3))
  fc.assert(
    fc.property(fc.constantFrom(...shipped), fc.array(damage, { minLength: 1, maxLength: 4 }), (text, damages) => {
      const damaged = damages.reduce((before, [place, length, word, times]) => {
        const at = before.length === 0 ? 0 : place % before.length
        return before.slice(0, at) + word.repeat(times) + before.slice(at + length)
      }, text)
      const { problem } = outcomeOf(damaged)
      if (problem) expect(problem.message).not.toBe('')
    }),
    { numRuns: runs },
  )
}, 600_000)
