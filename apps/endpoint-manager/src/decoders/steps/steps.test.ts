import { describe, expect, it } from 'vitest'
import { stepTypes } from './registry.ts'

const cases: readonly [string, unknown, string, Record<string, unknown> | undefined][] = [
  ['match', '^a (?<b>\\d+)(?: (?<c>x))?$', 'a 7', { b: '7' }],
  ['match', '^a$', 'b', undefined],
  ['grok', '%{IP:ip} "%{DATA:text}" %{INT}', '192.0.2.1 "a b" 5', { ip: '192.0.2.1', text: 'a b' }],
  ['grok', '%{WORD:a}$', 'two words', undefined],
  ['dissect', '%{a} [%{b->}] %{}: %{c}', 'x [y] ] z: rest: of it', { a: 'x', b: 'y', c: 'rest: of it' }],
  ['dissect', '<%{a}> %{b}', 'no bracket', undefined],
  ['kv', {}, 'a=1, b="two \\"words\\"" c=\'x y\' d', { a: '1', b: 'two "words"', c: 'x y' }],
  ['kv', { pairs: ' ; ', separator: '=' }, 'A=1 2 ; B=x=y ; C', { A: '1 2', B: 'x=y' }],
  ['kv', {}, 'no pairs', undefined],
  ['csv', { columns: ['a', '_', 'b', 'c'] }, 'x,y,"1,2 ""q""",', { a: 'x', b: '1,2 "q"' }],
  ['csv', { columns: ['a', 'b'], at_least: 2 }, 'alone', undefined],
  ['json', {}, '{"a":{"b":1,"c":[1,2]},"d":[{"e":true}],"n":null}', { 'a.b': 1, 'a.c': [1, 2], 'd.0.e': true }],
  ['json', {}, '[1]', undefined],
  ['json', {}, '{"a":', undefined],
  [
    'xml',
    { named: 'Data' },
    '<E x="1"><Data Name="U">a &amp; b</Data><F/><G>7</G></E>',
    { 'E@x': '1', 'E.U': 'a & b', 'E.G': '7' },
  ],
  ['xml', {}, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', undefined],
  ['xml', {}, '<a><b></a>', undefined],
  [
    'cef',
    {},
    'CEF:0|V|P\\|Q|1|s|n|5|msg=a b src=192.0.2.1 x\\=y cs1=v cs1Label=My Label',
    {
      'cef.version': '0',
      'cef.vendor': 'V',
      'cef.product': 'P|Q',
      'cef.product_version': '1',
      'cef.signature': 's',
      'cef.name': 'n',
      'cef.severity': '5',
      msg: 'a b',
      src: '192.0.2.1 x=y',
      cs1: 'v',
      cs1Label: 'My Label',
      'label.My_Label': 'v',
    },
  ],
  ['cef', {}, 'CEF:0|V', undefined],
  [
    'leef',
    {},
    'LEEF:2.0|V|P|1|e|x5E|a=1^b=two words',
    {
      'leef.version': '2.0',
      'leef.vendor': 'V',
      'leef.product': 'P',
      'leef.product_version': '1',
      'leef.event': 'e',
      a: '1',
      b: 'two words',
    },
  ],
  ['leef', {}, 'LEEF:1.0|V', undefined],
]

function typeNamed(name: string) {
  const type = stepTypes.find((candidate) => candidate.name === name)
  if (!type) throw new Error(`no step ${name}`)
  return type
}

describe('steps', () => {
  it.each(cases)('%s %j of "%s"', (name, options, text, expected) => {
    const values = new Map<string, unknown>()
    const fits = typeNamed(name).compile(options)(text, values)
    expect(fits ? Object.fromEntries(values) : undefined).toEqual(expected)
  })

  it.each([
    ['match', '(?=a)b'],
    ['match', '(a)\\1'],
    ['match', '('],
    ['match', 'a{1,5000}'],
    ['grok', '%{NOTHING:a}'],
    ['dissect', 'no values'],
    ['kv', { separator: '' }],
  ])('%s refuses %j', (name, options) => {
    expect(typeNamed(name).options.safeParse(options).success).toBe(false)
  })

  it('end on texts that make patterns try every way there is', () => {
    const values = new Map<string, unknown>()
    expect(typeNamed('match').compile('^(?<a>(?:a+)+)$')(`${'a'.repeat(5_000)}b`, values)).toBe(false)
    expect(typeNamed('match').compile('^(?<a>(?:a|a)*)$')('a'.repeat(5_000), values)).toBe(true)
    expect(values.get('a')).toHaveLength(5_000)
  })
})
