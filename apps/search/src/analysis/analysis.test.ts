import { describe, expect, it } from 'vitest'
import { analyze } from '../tokens/token.ts'
import { Analysis, type CustomDefinition } from './analysis.ts'

const plain = new Analysis({})

function words(analyzer: string, text: string, settings: Record<string, string> = {}): string[] {
  const found = new Analysis(settings).analyzer(analyzer)
  if (!found) throw new Error(`no analyzer ${analyzer}`)
  return analyze(found, text).map((token) => token.text)
}

function custom(definition: CustomDefinition, text: string) {
  return analyze(plain.custom(definition), text)
}

describe('built-in analyzers', () => {
  it.each([
    ['standard', 'The 2 QUICK Brown-Foxes at 10.0.0.1', ['the', '2', 'quick', 'brown', 'foxes', 'at', '10.0.0.1']],
    ['simple', "The 2 dog's", ['the', 'dog', 's']],
    ['whitespace', 'Foo Bar!', ['Foo', 'Bar!']],
    ['keyword', 'Foo Bar!', ['Foo Bar!']],
    ['stop', 'The fox is 2 quick', ['fox', 'quick']],
    ['pattern', 'The fox_a, B', ['the', 'fox_a', 'b']],
    ['english', "The dog's running with books and ponies", ['dog', 'run', 'book', 'poni']],
    ['fingerprint', 'Yes yes, Zed and Abe', ['abe and yes zed']],
  ])('%s', (name, text, expected) => expect(words(name, text)).toEqual(expected))

  it('is undefined for an unknown name and standard for the default', () => {
    expect(plain.analyzer('nope')).toBeUndefined()
    expect(words('default', 'A B')).toEqual(['a', 'b'])
  })
})

describe('settings of an index', () => {
  it('define analyzers from own parts', () => {
    const settings = {
      'analysis.analyzer.mine.tokenizer': 'cut',
      'analysis.analyzer.mine.filter': 'lowercase,short',
      'analysis.tokenizer.cut.type': 'pattern',
      'analysis.tokenizer.cut.pattern': '-',
      'analysis.filter.short.type': 'truncate',
      'analysis.filter.short.length': '2',
      'analysis.analyzer.std.type': 'standard',
      'analysis.analyzer.std.stopwords': '["and", "or"]',
    }
    expect(words('mine', 'ABC-De-f', settings)).toEqual(['ab', 'de', 'f'])
    expect(words('std', 'this and that', settings)).toEqual(['this', 'that'])
  })

  it.each([
    [{ 'analysis.analyzer.a.tokenizer': 'nope' }, 'Custom Analyzer [a] failed to find tokenizer under name [nope]'],
    [{ 'analysis.analyzer.a.type': 'nope' }, 'Unknown analyzer type [nope] for [a]'],
    [{ 'analysis.analyzer.a.filter': 'lowercase' }, 'Custom Analyzer [a] must be configured with a tokenizer'],
  ])('refuse what cannot be made', (settings, reason) =>
    expect(() => new Analysis(settings).analyzer('a')).toThrow(reason),
  )

  it('define normalizers', () => {
    const own = new Analysis({ 'analysis.normalizer.n.filter': 'lowercase,asciifolding' }).normalizer('n')
    expect(own && analyze(own, 'ÄPFEL Straße').map(({ text }) => text)).toEqual(['apfel strasse'])
    expect(plain.normalizer('n')).toBeUndefined()
  })
})

describe('token filters', () => {
  it.each<[string, unknown[], string, string[]]>([
    ['stop', [{ type: 'stop', stopwords: ['foo'] }], 'foo bar', ['bar']],
    [
      'keyword_marker',
      [{ type: 'keyword_marker', keywords: 'troubled' }, 'porter_stem'],
      'troubled troubles',
      ['troubled', 'troubl'],
    ],
    ['word_delimiter', ['word_delimiter'], 'qu1ck wi-fi PowerShot', ['qu', '1', 'ck', 'wi', 'fi', 'Power', 'Shot']],
    ['shingle', ['shingle'], 'a b c', ['a', 'a b', 'b', 'b c', 'c']],
    ['edge_ngram', [{ type: 'edge_ngram', max_gram: 3 }], 'word', ['w', 'wo', 'wor']],
    ['ngram', [{ type: 'ngram', min_gram: 2, max_gram: 2 }], 'abc', ['ab', 'bc']],
    ['synonym', [{ type: 'synonym', synonyms: ['car, auto'] }], 'my auto', ['my', 'auto', 'car']],
    ['synonym =>', [{ type: 'synonym', synonyms: ['usa, u s a => america'] }], 'u s a', ['america']],
    ['pattern_replace', [{ type: 'pattern_replace', pattern: '(\\d)', replacement: '<$1>' }], 'a1', ['a<1>']],
    ['elision', ['elision'], "l'avion", ['avion']],
    ['unique', ['unique'], 'a b a', ['a', 'b']],
    ['decimal_digit', ['decimal_digit'], '٣a', ['3a']],
  ])('%s', (_, filter, text, expected) =>
    expect(custom({ tokenizer: 'whitespace', filter }, text).map((token) => token.text)).toEqual(expected),
  )

  it('leaves a gap where a word was removed, and puts synonyms at one place', () => {
    expect(custom({ tokenizer: 'standard', filter: ['stop'] }, 'a fox').map(({ position }) => position)).toEqual([1])
    const both = custom({ tokenizer: 'standard', filter: [{ type: 'synonym', synonyms: ['x, y'] }] }, 'x z')
    expect(both.map(({ text, position, type }) => [text, position, type])).toEqual([
      ['x', 0, '<ALPHANUM>'],
      ['y', 0, 'SYNONYM'],
      ['z', 1, '<ALPHANUM>'],
    ])
  })
})

describe('scripts in token filters', () => {
  const text = 'Vorsprung Durch Technik'
  const texts = (filter: object) =>
    custom({ tokenizer: 'whitespace', filter: [filter] }, text).map((token) => token.text)

  it('choose the words that other filters work on, or that stay', () => {
    const long = { type: 'condition', filter: ['lowercase'], script: { source: 'token.term.length() > 5' } }
    expect(texts(long)).toEqual(['vorsprung', 'Durch', 'technik'])
    const second = 'token.position >= 1 && token.positionIncrement == 1 && token.startOffset > 0 && !token.keyword'
    expect(texts({ type: 'predicate_token_filter', script: second })).toEqual(['Durch', 'Technik'])
  })

  it('are read from settings as well', () => {
    const settings = {
      'analysis.filter.mine.type': 'condition',
      'analysis.filter.mine.filter': 'lowercase,reverse',
      'analysis.filter.mine.script.source': 'token.term.length() < params.most',
      'analysis.filter.mine.script.params.most': '6',
      'analysis.analyzer.own.tokenizer': 'whitespace',
      'analysis.analyzer.own.filter': 'mine',
    }
    expect(() => words('own', text, settings)).toThrow('runtime error')
    expect(
      words('own', text, { ...settings, 'analysis.filter.mine.script.source': 'token.term.length() < 6' }),
    ).toEqual(['Vorsprung', 'hcrud', 'Technik'])
  })

  it('need a script, and no filter is a part of itself', () => {
    expect(() => texts({ type: 'predicate_token_filter' })).toThrow('[script] must be set')
    const settings = {
      'analysis.filter.mine.type': 'condition',
      'analysis.filter.mine.filter': 'mine',
      'analysis.filter.mine.script.source': 'true',
      'analysis.analyzer.own.tokenizer': 'whitespace',
      'analysis.analyzer.own.filter': 'mine',
    }
    expect(() => words('own', text, settings)).toThrow('filter [mine] is a part of itself')
  })
})

it('cuts words with their own places, or with those of the whole word', () => {
  const places = (more: object) =>
    custom({ tokenizer: 'whitespace', filter: [{ type: 'word_delimiter_graph', ...more }] }, 'the qu1ck').map(
      ({ text, start, end }) => [text, start, end],
    )
  expect(places({}).at(-1)).toEqual(['ck', 7, 9])
  expect(places({ adjust_offsets: false }).at(-1)).toEqual(['ck', 4, 9])
})

it('refuses filters in a normalizer that cut a word', () => {
  expect(() => plain.checkNormalizing(['lowercase', 'trim', 'arabic_normalization'], '')).not.toThrow()
  expect(() => plain.checkNormalizing(['word_delimiter'], '')).toThrow(
    'Custom normalizer may not use filter [word_delimiter]',
  )
})

describe('character filters', () => {
  it('keep the places of the text that was given', () => {
    const found = custom({ tokenizer: 'standard', char_filter: ['html_strip'] }, '<b>Hi</b> &amp; <i>there</i>')
    expect(found.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['Hi', 3, 9],
      ['there', 19, 28],
    ])
  })

  it.each<[unknown, string, string[]]>([
    [{ type: 'mapping', mappings: ['٠ => 0', ':) => happy'] }, '٠ :)', ['0 happy']],
    [{ type: 'mapping', mappings: ['# marks', '# => hash', '@ => at'] }, '#@', ['hashat']],
    [{ type: 'pattern_replace', pattern: '(\\d+)-(?=\\d)', replacement: '$1_' }, '123-456', ['123_456']],
  ])('%j', (filter, text, expected) =>
    expect(custom({ tokenizer: 'keyword', char_filter: [filter] }, text).map((token) => token.text)).toEqual(expected),
  )
})

it('cuts paths and web addresses', () => {
  expect(custom({ tokenizer: 'path_hierarchy' }, '/a/b').map(({ text }) => text)).toEqual(['/a', '/a/b'])
  expect(
    custom({ tokenizer: { type: 'path_hierarchy', delimiter: '.', reverse: true } }, 'x.y.z').map(({ text }) => text),
  ).toEqual(['x.y.z', 'y.z', 'z'])
  expect(custom({ tokenizer: 'uax_url_email' }, 'see https://a.b/c?d=1 or me@x.org').map(({ text }) => text)).toEqual([
    'see',
    'https://a.b/c?d=1',
    'or',
    'me@x.org',
  ])
})

describe('pieces of words', () => {
  it.each<[string, unknown, string, RegExp]>([
    [
      'sizes of letters',
      { tokenizer: { type: 'ngram', min_gram: 1, max_gram: 100_000 } },
      'abc',
      /difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: \[1\] but was \[99999\]/,
    ],
    [
      'sizes of words',
      { tokenizer: 'standard', filter: [{ type: 'shingle', max_shingle_size: 9 }] },
      'a b',
      /must be less than or equal to: \[3\] but was \[8\]/,
    ],
    [
      'words in one',
      { tokenizer: 'standard', filter: [{ type: 'shingle', min_shingle_size: 50_000, max_shingle_size: 50_000 }] },
      'a b',
      /max_shingle_size must be at most \[100\]/,
    ],
    [
      'pieces of a word',
      { tokenizer: { type: 'edge_ngram', max_gram: 1_000_000 } },
      'a'.repeat(400_000),
      /more than \[250000\] pieces/,
    ],
  ])('are not made of too many %s', (_what, definition, text, reason) => {
    expect(() => custom(definition as Parameters<typeof custom>[0], text)).toThrow(reason)
  })

  it('are as many as the index allows, and hold whole characters', () => {
    const analysis = new Analysis({
      max_ngram_diff: '2',
      'analysis.tokenizer.all.type': 'ngram',
      'analysis.tokenizer.all.max_gram': '3',
    })
    expect(
      analysis
        .tokenizer('all')
        .work('a😀b')
        .map(({ text }) => text),
    ).toEqual(['a', 'a😀', 'a😀b', '😀', '😀b', 'b'])
  })
})
