import { AppError } from '@logstack/errors'
import { describe, expect, it } from 'vitest'
import { HeapGauge } from './heap-gauge.ts'
import { compileNumberScript, compileScript } from './script.ts'
import { Turns } from './turns.ts'

const run = (source: string) => compileScript({ source, lang: 'painless', params: {} })({})
const large = "String t = 'a'; for (int i = 0; i < 23; i++) { t = t + t }"
const twice = (depth: number) => `def l = [1]; for (int i = 0; i < ${depth}; i++) { l = [l, l] }`
const numbers = 'def a = []; for (int i = 0; i < 100000; i++) { a.add(i) }'

function causeOf(source: string): unknown {
  try {
    run(source)
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.cause
    throw thrown
  }
  throw new Error('the script ended well')
}

describe('what one call of a script may cost', () => {
  it.each([
    ['a hash of lists that hold each other', `${twice(60)} return l.hashCode()`, 'index_out_of_bounds_exception'],
    [
      'lists that are compared again and again',
      `${twice(15)} def k = []; for (int i = 0; i < 1000; i++) { k.add(l) } return k.contains([l])`,
    ],
    ['lists compared element by element', `${numbers} return a.containsAll(a)`],
    ['lists kept element by element', `${numbers} def b = []; for (def x : a) { b.add(-1 - x) } return a.retainAll(b)`],
    [
      'long texts in order',
      `${large} def l = []; for (int i = 0; i < 300; i++) { l.add(t + i) } l.sort(null); return l.size()`,
    ],
    ['long texts as keys', `${large} def m = [:]; for (int i = 0; i < 900; i++) { m[t + i] = i } return m.size()`],
    [
      'long texts that are compared',
      `${large} int n = 0; for (int i = 0; i < 9000; i++) { if ((t + i % 9) == (t + 9)) { n++ } } return n`,
    ],
    ['a value of each letter', `${large} return t.toCharArray().length`],
    ['a pattern of many instructions over a long text', `${large} return t =~ /((a{1,30}){1,30})c/`],
    [
      'a function that is left by what it throws',
      "void f() { for (int i = 0; i < 100000; i++) { } throw new RuntimeException('x') } for (int i = 0; i < 9000; i++) { try { f() } catch (Exception e) { } }",
    ],
  ])('is bounded: %s', (_name, source, code = 'painless_error') => {
    expect(causeOf(source)).toMatchObject({ code })
  })

  it('is bounded for replacements that go through the rest of a text for each match', () => {
    const source =
      "String t = 'a'; for (int i = 0; i < 19; i++) { t = t + t } return /a.*b|a/.matcher(t).replaceAll('x')"
    expect(causeOf(source)).toMatchObject({ code: 'painless_error', message: 'The script ran for more than 2000 ms.' })
  })

  it.each([
    `${large} return t.replace('a', t)`,
    `${large} t = t.substring(0, 500000); return /a/.matcher(t).replaceAll('${'b'.repeat(30)}')`,
    `${large} return String.join(t, [t, t])`,
    `${large} return [t, t].toString()`,
  ])('refuses texts that would be too long: %s', (source) => {
    expect(causeOf(source)).toMatchObject({ code: 'index_out_of_bounds_exception' })
  })

  it.each([`${twice(60)} return l`, `${large} def l = []; for (int i = 0; i < 100; i++) { l.add(t) } return l`])(
    'refuses answers nobody could print: %s',
    (source) => {
      expect(causeOf(source)).toMatchObject({ code: 'illegal_argument_exception' })
    },
  )

  it('lets a script go through a message letter by letter', () => {
    const source =
      "String t = 'abcdefgh'.repeat(2500); int n = 0; for (int i = 0; i < t.length(); i++) { if (t.charAt(i) == (char) 'c') { n++ } } return n"
    expect(run(source)).toBe(2500)
  })

  it('ends a run at the end of the stack, which no script catches', () => {
    const source = 'def f(def l) { try { l.each(x -> f(l)) } catch (Exception e) { return 1 } return 2 } return f([1])'
    expect(causeOf(source)).toMatchObject({ code: 'stack_overflow_error' })
  })
})

describe('a long part', () => {
  it.each([
    'return t.lastIndexOf(p)',
    "return t.indexOf(p.substring(1) + 'b')",
    'return t.contains(p) ? 0 : -1',
    'return t.splitOnToken(p).length - 2',
    'return t.replace(p, p).length() == t.length() ? -1 : 0',
    'return new StringBuilder(t).lastIndexOf(p)',
    "return new StringBuilder(t).indexOf(p.substring(1) + 'b')",
    "return new StringTokenizer(t, t.replace('a', 'b')).countTokens() - 2",
  ])('looks for long parts in long texts within the time of a run: %s', (looking) => {
    // Twenty-two doublings, at which looking at each letter of the part for each of the text is beyond any time.
    const source =
      "String t = 'a'; for (int i = 0; i < 22; i++) { t = t + t } String p = 'b' + t.substring(0, 2000000); "
    expect(run(source + looking)).toBe(-1)
  })
})

describe('the replacement of a match', () => {
  it.each([
    ["'a1b2'.replaceAll(/(\\d)/, '<$1>')", 'a<1>b<2>'],
    ["'ab'.replaceAll(/(a)(b)/, '$2$12')", 'ba2'],
    ["'ab'.replaceAll(/(?<x>a)/, '${x}${x}')", 'aab'],
    ["'ab'.replaceAll(/a/, '\\\\$')", '$b'],
    ["'ab'.replaceAll(/c/, '$9')", 'ab'],
    ["'ab'.replaceAll(/(c)?a/, '[$1]')", '[]b'],
  ])('%s', (source, expected) => {
    expect(run(`return ${source}`)).toBe(expected)
  })

  it.each([
    ["'ab'.replaceAll(/a/, '$1')", 'index_out_of_bounds_exception'],
    ["'ab'.replaceAll(/a/, '$')", 'illegal_argument_exception'],
    ["'ab'.replaceAll(/a/, '${x')", 'illegal_argument_exception'],
  ])('%s fails', (source, code) => {
    expect(causeOf(`return ${source}`)).toMatchObject({ code })
  })
})

describe('the heap of a script', () => {
  it('may grow up to its limit from the first look on, and is not looked at all the time', () => {
    let [nowMs, bytes, looks] = [0, 1_000, 0]
    const gauge = new HeapGauge(
      500,
      () => nowMs,
      () => {
        looks += 1
        return bytes
      },
    )
    const at = (ms: number, used: number) => {
      ;[nowMs, bytes] = [ms, used]
      return gauge.isOver()
    }
    expect([at(5, 9_000), at(10, 1_000), at(15, 9_000), at(20, 1_500), at(30, 1_501)]).toEqual([
      false,
      false,
      false,
      false,
      true,
    ])
    expect(looks).toBe(3)
  })
})

it('gives scripts that run without a turn between them the time of one run together', () => {
  const compute = compileNumberScript({ source: 'int s = 0; for (int i = 0; i < 100000; i++) { s += i % 7 } return s' })
  const all = () => {
    for (let bucket = 0; bucket < 2_000; bucket += 1) compute({})
  }
  expect(() => new Turns().run(all)).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ code: 'painless_error' }) }),
  )
})

describe('what is made of itself, and numbers as long as texts', () => {
  it.each([
    [
      'collectors that hold each other',
      'def c = Collectors.toList(); for (int i = 0; i < 40; i++) { c = Collectors.partitioningBy(x -> true, c) } return [].stream().collect(c)',
    ],
    [
      'comparators that are asked twice by each other',
      'def c = Comparator.naturalOrder(); for (int i = 0; i < 60; i++) { c = c.thenComparing(c) } return c.compare(1, 1)',
    ],
  ])('is bounded: %s', (_name, source) => {
    expect(causeOf(source)).toMatchObject({ code: 'painless_error' })
  })

  it.each([
    ['Long.parseLong(t)', 'number_format_exception'],
    ["Double.parseDouble(t + 'x')", 'number_format_exception'],
  ])('is bounded: %s', (reading, code) => {
    const source = `String t = '9'; for (int i = 0; i < 22; i++) { t = t + t } return ${reading}`
    expect(causeOf(source)).toMatchObject({ code, message: expect.stringMatching(/^For input string: "9{200}…"$/) })
  })
})
