import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseInstant } from '../instant.ts'
import { parseIp } from '../ip.ts'
import { leavesAt } from '../values.ts'
import type { Detection, Match } from './detection.ts'
import { readMapping } from './mapping.ts'
import { SigmaMatcher } from './matcher.ts'
import { compileRegexp } from './modifiers.ts'
import { folded, regexpLiterals } from './regexp-literals.ts'
import type { SigmaRule } from './sigma-rule.ts'
import { piecesTest, type TextPiece } from './text.ts'

const read = readMapping('test', 'title: T\nproduct: test\nindex: [logs-*]\nfields: {two: [two.a, two.b]}\n')
if ('problem' in read) throw new Error(read.problem.message)
const { mapping } = read
const fields = ['one', 'two', 'three', 'address'] as const
const pathsOf = (field: string): readonly string[] => (field === 'two' ? ['two.a', 'two.b'] : [field])

// Letters of which RE2 takes several for one, and whose lower case is longer, or depends on what stands around them.
const letter = fc.constantFrom(
  'a',
  'b',
  'c',
  'A',
  'B',
  's',
  'S',
  'k',
  'ſ',
  'K',
  'Σ',
  'σ',
  'ς',
  'İ',
  '🦆',
  '1',
  '.',
  '\\',
)
const word = fc.string({ unit: letter, minLength: 1, maxLength: 6 })
const address = fc.constantFrom('10.1.2.3', '10.1.2.4', '10.200.0.1', '::1', 'fe80::1', '2001:db8::7', '10.1.2', '')
const time = fc.constantFrom('2026-01-04T10:20:30Z', '2026-11-28T00:00:00Z')

const piece: fc.Arbitrary<TextPiece> = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom<TextPiece>({ any: 'one' }, { any: 'many' }) },
)
const inCase = (pieces: readonly TextPiece[], cased: boolean): readonly TextPiece[] =>
  cased ? pieces : pieces.map((each) => (typeof each === 'string' ? each.toLowerCase() : each))
const pieces = fc.oneof(
  word.map((each): TextPiece[] => [each]),
  word.map((each): TextPiece[] => [{ any: 'many' }, each, { any: 'many' }]),
  word.map((each): TextPiece[] => [{ any: 'many' }, each]),
  word.map((each): TextPiece[] => [each, { any: 'many' }]),
  fc.array(piece, { maxLength: 4 }),
)

const atom = fc.oneof(
  { weight: 6, arbitrary: letter.map((each) => (/[.\\]/u.test(each) ? `\\${each}` : each)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('.', '[ab]', '[aA]', '[^a]', '[s1]', '[a-c]', '\\w', '\\d', '\\b', '^', '$', '\\n', '{'),
  },
)
const { expression } = fc.letrec<{ expression: string; sequence: string; one: string }>((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    { weight: 6, arbitrary: atom },
    { weight: 1, arbitrary: tie('expression').map((inner) => `(${inner})`) },
    { weight: 1, arbitrary: tie('expression').map((inner) => `(?:${inner})`) },
    { weight: 1, arbitrary: tie('expression').map((inner) => `(?i:${inner})`) },
  ),
  sequence: fc
    .array(
      fc.tuple(
        tie('one'),
        fc.constantFrom('', '', '', '', '?', '*', '+', '{2}', '{0,1}', '{1}', '{1,3}', '+?', '{2}{3}'),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.map(([one, times]) => one + times).join('')),
  expression: fc
    .tuple(fc.constantFrom('', '', '', '(?i)'), fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }))
    .map(([flags, members]) => flags + members.join('|')),
}))
const flags = fc.constantFrom('', 'i', 'ms')
const source = fc.tuple(expression, flags).filter(([text, letters]) => isRead(text, letters))

function isRead(text: string, letters: string): boolean {
  try {
    compileRegexp(text, letters)
    return true
  } catch {
    return false
  }
}

const field = fc.constantFrom(...fields)
const anywhere = fc.option(field, { nil: undefined, freq: 6 })
const block = fc.constantFrom('10.1.2.0/24', '10.0.0.0/8', '0.0.0.0/0', '10.1.2.3/32', '::/0', 'fe80::/10', '::1/128')
const match: fc.Arbitrary<Match> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(anywhere, pieces, fc.boolean())
      .map(([name, parts, cased]): Match => ({ kind: 'text', field: name, pieces: inCase(parts, cased), cased })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(anywhere, source)
      .map(([name, [text, letters]]): Match => ({ kind: 're', field: name, source: text, flags: letters })),
  },
  { weight: 1, arbitrary: block.map(blockMatch) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(field, fc.constantFrom('lt' as const, 'gte' as const), fc.integer({ min: -2, max: 12 }))
      .map(([name, operator, value]): Match => ({ kind: 'compare', field: name, operator, value })),
  },
  { weight: 1, arbitrary: field.map((name): Match => ({ kind: 'exists', field: name })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(field, field, fc.constantFrom('equals' as const, 'contains' as const), fc.boolean())
      .map(([name, other, relation, cased]): Match => ({ kind: 'fieldref', field: name, other, relation, cased })),
  },
  { weight: 1, arbitrary: field.map((name): Match => ({ kind: 'time', field: name, part: 'month', value: 11 })) },
)

function blockMatch(text: string): Match {
  const [start = '', bits = ''] = text.split('/')
  const span = 1n << BigInt((start.includes(':') ? 128 : 32) - Number(bits))
  const first = parseIp(start) ?? 0n
  return { kind: 'cidr', field: 'address', first, last: first + span - 1n }
}

const { detection } = fc.letrec<{ detection: Detection }>((tie) => ({
  detection: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'detection' },
    { weight: 4, arbitrary: match.map((each): Detection => ({ op: 'match', match: each })) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          fc.constantFrom('and' as const, 'or' as const),
          fc.array(tie('detection'), { minLength: 1, maxLength: 4 }),
        )
        .map(([op, of]): Detection => ({ op, of })),
    },
    { weight: 1, arbitrary: tie('detection').map((of): Detection => ({ op: 'not', of })) },
  ),
}))

const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(''))
const value = fc.oneof(text, address, time, fc.integer({ min: -2, max: 12 }), fc.boolean())
const leaf = fc.option(fc.oneof(value, fc.array(value, { maxLength: 3 })), { freq: 3 })
const event = fc.record(
  { one: leaf, two: fc.record({ a: leaf, b: leaf }, { requiredKeys: [] }), 'two.a': leaf, three: leaf, address: leaf },
  { requiredKeys: [] },
)

function textsOf(document: unknown, name: string | undefined): string[] {
  if (name === undefined) return everything(document)
  return pathsOf(name).flatMap((path) => leavesAt(document, path).map(String))
}

function everything(node: unknown): string[] {
  if (node === null || node === undefined) return []
  return typeof node === 'object' ? Object.values(node).flatMap(everything) : [String(node)]
}

/** A rule by itself, as plainly as can be. */
function holds(rule: Detection, document: unknown): boolean {
  if (rule.op === 'not') return !holds(rule.of, document)
  if (rule.op === 'and') return rule.of.every((inner) => holds(inner, document))
  if (rule.op === 'or') return rule.of.some((inner) => holds(inner, document))
  return fits(rule.match, document)
}

function fits(test: Match, document: unknown): boolean {
  const texts = textsOf(document, test.field)
  switch (test.kind) {
    case 'text':
      return texts.map((each) => (test.cased ? each : each.toLowerCase())).some(piecesTest(test.pieces))
    case 're':
      return texts.some((each) => compileRegexp(test.source, test.flags).matcher(each).find())
    case 'cidr':
      return texts.some((each) => (parseIp(each) ?? -1n) >= test.first && (parseIp(each) ?? -1n) <= test.last)
    case 'compare':
      return texts.some(
        (each) => each.trim() !== '' && (test.operator === 'lt' ? +each < test.value : +each >= test.value),
      )
    case 'exists':
      return texts.length > 0
    case 'fieldref': {
      const inOneCase = (each: string): string => (test.cased ? each : each.toLowerCase())
      const others = textsOf(document, test.other).map(inOneCase)
      return texts
        .map(inOneCase)
        .some((each) => others.some((other) => (test.relation === 'equals' ? each === other : each.includes(other))))
    }
    case 'time':
      return texts.some((each) => new Date(parseInstant(each)?.ms ?? Number.NaN).getUTCMonth() + 1 === test.value)
  }
}

function ruleOf(wanted: Detection, at: number): SigmaRule {
  return {
    kind: 'rule',
    title: `rule ${at}`,
    id: String(at),
    name: undefined,
    description: undefined,
    status: undefined,
    level: 'low',
    author: undefined,
    references: [],
    tags: [],
    falsePositives: [],
    logSource: { product: 'test', category: undefined, service: undefined },
    detection: wanted,
  }
}

test('many rules together find what each finds by itself', () => {
  let [found, tried] = [0, 0]
  fc.assert(
    fc.property(fc.array(detection, { maxLength: 25 }), fc.array(event, { maxLength: 12 }), (detections, documents) => {
      const matcher = new SigmaMatcher(detections.map(ruleOf), [mapping])
      for (const document of documents) {
        const wanted = detections.flatMap((each, at) => (holds(each, document) ? [String(at)] : []))
        const ids = matcher.match(document, 'logs-test').map(({ id }) => id)
        expect(ids.sort()).toEqual(wanted.sort())
        found += ids.length
        tried += detections.length
      }
    }),
    { numRuns: 600 },
  )
  // Neither all nor nothing, or the comparison would say little.
  expect(found / tried).toBeGreaterThan(0.1)
  expect(found / tried).toBeLessThan(0.9)
})

test('a cased literal is found whose lower case depends on where it stands', () => {
  const pieces: TextPiece[] = [{ any: 'many' }, 'ΟΔΟΣ', { any: 'many' }]
  const rule: Detection = { op: 'match', match: { kind: 'text', field: 'one', pieces, cased: true } }
  const matcher = new SigmaMatcher([ruleOf(rule, 0)], [mapping])
  expect(matcher.match({ one: 'ΟΔΟΣΑ' }, 'logs-test')).toHaveLength(1)
})

test('an expression is found only where the texts stand that it is said to need', () => {
  let told = 0
  fc.assert(
    fc.property(source, fc.array(text, { maxLength: 20 }), ([wanted, letters], texts) => {
      const expressionRead = compileRegexp(wanted, letters)
      const needs = regexpLiterals(wanted)
      for (const each of texts) {
        if (!expressionRead.matcher(each).find()) continue
        const lower = folded(each.toLowerCase())
        for (const need of needs) expect(need.some((literal) => lower.includes(literal))).toBe(true)
        told += needs.length
      }
    }),
    { numRuns: 4000 },
  )
  expect(told).toBeGreaterThan(100)
})

test.each<[string, string[][]]>([
  ['(?i)Software\\\\.*\\\\Run$', [['software\\'], ['\\run']]],
  ['https?://0\\d+', [['https://0', 'http://0']]],
  ['[Rr][Uu]n(?:dll|32)+ x', [['run'], ['dll', '32'], [' x']]],
  ['(?:foo|bar.*)baz', [['foo', 'bar'], ['baz']]],
  ['a{2}(?:b)*c{0,3}', [['a']]],
  ['(?i:Kiss)', [['kiss']]],
  ['\\x41bc|d', []],
  ['\\Qa\\E', []],
  ['.{1000,}', []],
])('%s needs %j', (wanted, needs) => {
  expect(regexpLiterals(wanted)).toEqual(needs)
})
