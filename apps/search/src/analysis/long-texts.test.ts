import { expect, it } from 'vitest'
import { analyze } from '../tokens/token.ts'
import { Analysis } from './analysis.ts'

const analysis = new Analysis({
  'analysis.filter.some.type': 'condition',
  'analysis.filter.some.filter': 'lowercase',
  'analysis.filter.some.script.source': 'true',
})

it.each([
  [{ tokenizer: 'standard', filter: ['cjk_bigram'] }, '中文'.repeat(100_000), 199_999],
  [{ tokenizer: 'whitespace', filter: ['flatten_graph'] }, 'a '.repeat(200_000), 200_000],
  [{ tokenizer: 'whitespace', filter: ['remove_duplicates'] }, 'a '.repeat(200_000), 200_000],
  [{ tokenizer: 'whitespace', filter: ['some'] }, 'A '.repeat(200_000), 200_000],
  [{ tokenizer: 'classic' }, 'a.b-c_D1'.repeat(50_000), 100_001],
  [{ tokenizer: 'whitespace', char_filter: ['html_strip'] }, '<a '.repeat(150_000), 150_000],
  [{ tokenizer: 'whitespace', char_filter: ['html_strip'] }, `${'<!-- <script '.repeat(50_000)}>`, 1],
  [{ tokenizer: 'keyword', filter: ['porter_stem'] }, 'aeiouy'.repeat(100_000), 1],
  [{ tokenizer: 'keyword', filter: ['word_delimiter'] }, 'a-'.repeat(200_000), 200_000],
  [{ tokenizer: 'thai' }, 'a b '.repeat(100_000), 200_000],
])('goes through a long text without looking at all of it for each word: %j', (definition, text, words) => {
  expect(analyze(analysis.custom(definition), text)).toHaveLength(words)
})

it('cuts a text into pieces where no word of Thai ends', () => {
  const thai = analysis.custom({ tokenizer: 'thai' })
  const sentence = 'ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน '
  const once = analyze(thai, sentence).map(({ text }) => text)
  const often = analyze(thai, sentence.repeat(300))
  expect(often.map(({ text }) => text)).toEqual(Array.from({ length: 300 }, () => once).flat())
  expect(often.every(({ text, start, end }) => sentence.repeat(300).slice(start, end) === text)).toBe(true)
})
