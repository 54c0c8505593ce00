import { AppError } from '@logstack/errors'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { collectors } from './collectors.ts'
import { comparators } from './comparators.ts'
import { listMethods, setMethods } from './list-methods.ts'
import { mapMethods } from './map-methods.ts'
import { compileScript } from './script.ts'

// Scripts of words that fit and words that should not: LOGSTACK_FUZZ_RUNS says how many, LOGSTACK_SEED which.
const runs = Number(process.env['LOGSTACK_FUZZ_RUNS'] ?? 1_500)
const seed = process.env['LOGSTACK_SEED']

const known = [listMethods, setMethods, mapMethods, collectors, comparators].flatMap((table) => Object.keys(table))
const streams = ['stream', 'filter', 'map', 'sorted', 'collect', 'reduce', 'max', 'get', 'orElse', 'flatMap', 'limit']
const texts = [
  'concat',
  'replace',
  'substring',
  'charAt',
  'splitOnToken',
  'matcher',
  'find',
  'group',
  'append',
  'toString',
]
/** What leads out of a sandbox in the language under this one. */
const outside = [
  'constructor',
  '__proto__',
  'prototype',
  'call',
  'bind',
  'valueOf',
  'getClass',
  'toJSON',
  'then',
  'eval',
]
const methods = fc.constantFrom(...known, ...streams, ...texts, ...outside)

const statics = fc.constantFrom(
  ...[
    'Math.max',
    'Math.floorMod',
    'Integer.parseInt',
    'Integer.compare',
    'String.join',
    'String.valueOf',
    'List.of',
    'List.copyOf',
  ],
  ...[
    'Set.copyOf',
    'Map.of',
    'Map.copyOf',
    'Collections.sort',
    'Collections.max',
    'Arrays.asList',
    'IntStream.range',
    'Stream.of',
  ],
  ...[
    'Collectors.toList',
    'Collectors.groupingBy',
    'Collectors.joining',
    'Comparator.comparing',
    'Instant.ofEpochMilli',
  ],
)
const leaf = fc.constantFrom(
  ...[
    '0',
    '1',
    '-1',
    '2147483647',
    '9223372036854775807L',
    '1.5',
    '100000',
    'null',
    'true',
    "''",
    "'a'",
    "'__proto__'",
  ],
  ...[
    '[]',
    '[1, 2, 3]',
    "['a', 'b']",
    '[:]',
    "['a': 1]",
    "['__proto__': 1]",
    'ctx',
    'ctx._source',
    'params',
    'l',
    'm',
    't',
  ],
  ...['/a*/', '/(a|b)*c/', 'new HashSet(l)', "new StringBuilder('a')", 'new int[5]', 'l.stream()', "/a/.matcher('aa')"],
)
const lambda = fc.constantFrom(
  'x -> x',
  '(x, y) -> y',
  '() -> l',
  'x -> { l.add(x); return x }',
  'Integer::compare',
  'String::length',
  'List::constructor',
)
const arguments_ = (expression: fc.Arbitrary<string>) =>
  fc.array(fc.oneof({ weight: 3, arbitrary: expression }, { weight: 2, arbitrary: lambda }), { maxLength: 3 })

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const each = tie('expression')
  const called = ([target, method, args]: [string, string, string[]]) => `(${target}).${method}(${args.join(', ')})`
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 4, arbitrary: leaf },
      { weight: 6, arbitrary: fc.tuple(each, methods, arguments_(each)).map(called) },
      {
        weight: 2,
        arbitrary: fc.tuple(statics, arguments_(each)).map(([name, args]) => `${name}(${args.join(', ')})`),
      },
      fc
        .tuple(each, fc.constantFrom('+', '*', '%', '==', '<', '=~', '==~', '<<', '?:'), each)
        .map((parts) => `(${parts.join(' ')})`),
      fc.tuple(each, fc.constantFrom(...outside, 'a', 'length')).map(([target, member]) => `(${target}).${member}`),
      fc.tuple(each, each).map(([target, key]) => `(${target})[${key}]`),
      fc.tuple(fc.constantFrom('String', 'def', 'List'), each).map(([type, value]) => `(${type})(${value})`),
    ),
  }
})

const statement = fc.oneof(
  expression.map((value) => `${value};`),
  fc
    .tuple(fc.constantFrom('l', 'm', 't', 'ctx.x', 'ctx._source.a', "ctx['__proto__']", 'params.p', 'l[0]'), expression)
    .map(([place, value]) => `${place} = ${value};`),
  expression.map((value) => `for (int i = 0; i < 1000; i++) { t = ${value}; l.add(t) }`),
  expression.map((value) => `for (def e : ${value}) { l.add(e); l.addAll(l) }`),
  expression.map((value) => `while (l != ${value}) { t = t + t }`),
  expression.map((value) => `try { throw new RuntimeException(${value}) } catch (Exception e) { t = e.getMessage() }`),
  expression.map((value) => `if (${value}) { return l }`),
)

it('a script ends, with a value or a fault of its own, and changes nothing but its document', () => {
  const prototypes = [Object, Array, Function, String, Map, Set].map(({ prototype }) => prototype as object)
  const before = prototypes.map((each) => Object.getOwnPropertyNames(each).join())
  fc.assert(
    fc.property(fc.array(statement, { minLength: 1, maxLength: 4 }), fc.option(expression), (statements, result) => {
      const source = `def l = [3, 1, 2]; def m = ['k': 'v']; def t = 'text'; ${statements.join(' ')} return ${result ?? 'l'};`
      try {
        const returned = compileScript({ source, lang: 'painless', params: { p: [1] } })({
          op: 'index',
          _source: { a: [1] },
        })
        // No function of this runtime comes out: those of the script do not tell anything of it.
        if (typeof returned === 'function') expect(Object.hasOwn(returned, 'prototype')).toBe(false)
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw new Error(`${source}\n${String(thrown)}`, { cause: thrown })
      }
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed: Number(seed) }) },
  )
  expect(prototypes.map((each) => Object.getOwnPropertyNames(each).join())).toEqual(before)
}, 600_000)
