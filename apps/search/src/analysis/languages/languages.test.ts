import { describe, expect, it } from 'vitest'
import { analyze } from '../../tokens/token.ts'
import { analysisOf } from '../analysis.ts'
import { estonian } from './estonian.ts'
import { lightGerman, lightItalian, lightPortuguese, lightSpanish } from './light.ts'
import { lightFrench } from './light-french.ts'

const analysis = analysisOf({})

function words(analyzer: string, text: string): string[] {
  const found = analysis.analyzer(analyzer)
  if (!found) throw new Error(`no analyzer ${analyzer}`)
  return analyze(found, text).map((token) => token.text)
}

function filtered(filter: unknown, text: string, tokenizer: unknown = 'whitespace'): string[] {
  return analyze(analysis.custom({ tokenizer, filter: [filter] }), text).map((token) => token.text)
}

describe('the analyzer of a language', () => {
  it.each([
    ['arabic', 'كبيرة', ['كبير']],
    ['bengali', 'এবং বাড়ী', ['বার']],
    ['brazilian', 'a boataria não', ['boat']],
    ['bulgarian', 'градове', ['град']],
    ['cjk', '多くの', ['多く', 'くの']],
    ['czech', 'v českých městech bratrův', ['česk', 'měst', 'bratr']],
    ['danish', 'Undersøgelserne af hvalerne', ['undersøg', 'hval']],
    ['dutch', 'de lidstaten', ['lidstat']],
    ['estonian', 'See on teadaolevalt ministritele', ['teadaole', 'ministri']],
    ['finnish', 'edeltäjiinsä', ['edeltäj']],
    ['french', "L'avion des journaux", ['avion', 'journal']],
    ['german', 'Ich lese die Bücher über Füße', ['les', 'buch', 'fuss']],
    ['greek', 'Μία', ['μια']],
    ['hindi', 'हिन्दी', ['हिंद']],
    ['hungarian', 'babakocsi', ['babakocs']],
    ['indonesian', 'peledakan', ['ledak']],
    ['irish', 'siopadóireacht', ['siopadóir']],
    ['italian', "dell'abbandonata", ['abbandonat']],
    ['latvian', 'un lielajiem kokiem', ['liel', 'kok']],
    ['lithuanian', 'vaikų', ['vaik']],
    ['norwegian', 'havnedistriktene', ['havnedistrikt']],
    ['persian', 'می\u200cخورد', ['خورد']],
    ['portuguese', 'as quilométricas', ['quilometric']],
    ['romanian', 'absenţa', ['absenț']],
    ['russian', 'Вместе с тем о', ['вмест']],
    ['spanish', 'las chicanas', ['chican']],
    ['swedish', 'jaktkarlarne', ['jaktkarl']],
    ['thai', '๑๒๓๔', ['1234']],
    ['turkish', "İSTANBUL'da", ['istanbul']],
  ])('%s', (analyzer, text, expected) => expect(words(analyzer, text)).toEqual(expected))

  it('leaves the words that it is told to leave', () => {
    const own = analysisOf({
      'analysis.analyzer.mine.type': 'german',
      'analysis.analyzer.mine.stopwords': '_none_',
      'analysis.analyzer.mine.stem_exclusion': 'bücher',
    }).analyzer('mine')
    expect(own && analyze(own, 'die Bücher und Häuser').map(({ text }) => text)).toEqual([
      'die',
      'bucher',
      'und',
      'haus',
    ])
  })

  it('of snowball knows its languages, and their words to leave out', () => {
    const dutch = analysisOf({
      'analysis.analyzer.mine.type': 'snowball',
      'analysis.analyzer.mine.language': 'Dutch',
    }).analyzer('mine')
    expect(dutch && analyze(dutch, 'de bruine vossen').map(({ text }) => text)).toEqual(['bruin', 'voss'])
    expect(() =>
      analysisOf({ 'analysis.analyzer.a.type': 'snowball', 'analysis.analyzer.a.language': 'Klingon' }).analyzer('a'),
    ).toThrow('the snowball language [Klingon] is not supported')
  })
})

describe('light stemmers', () => {
  it.each([
    ['Häusern', 'haus'],
    ['kleinsten', 'klein'],
    ['tages', 'tag'],
    ['ab', 'ab'],
  ])('German %s', (word, stem) => expect(lightGerman(word.toLowerCase())).toBe(stem))
  it.each([
    ['chevaux', 'cheval'],
    ['bateaux', 'bateau'],
    ['gouvernement', 'gouvern'],
    ['progressivement', 'progresif'],
    ['établissement', 'etabli'],
    ['modification', 'modific'],
    ['chanteuse', 'chant'],
    ['institutrice', 'institut'],
    ['criaillerie', 'criaileri'],
  ])('French %s', (word, stem) => expect(lightFrench(word)).toBe(stem))
  it.each([
    ['veces', 'vez'],
    ['intereses', 'interes'],
    ['casas', 'cas'],
  ])('Spanish %s', (word, stem) => expect(lightSpanish(word)).toBe(stem))
  it.each([
    ['banche', 'banc'],
    ['famiglia', 'famigl'],
    ['ragazzi', 'ragazz'],
  ])('Italian %s', (word, stem) => expect(lightItalian(word)).toBe(stem))
  it.each([
    ['corações', 'coraca'],
    ['normais', 'normal'],
    ['homens', 'homem'],
    ['rapidamente', 'rapid'],
    ['professora', 'professor'],
  ])('Portuguese %s', (word, stem) => expect(lightPortuguese(word)).toBe(stem))
})

it.each([
  ['bioloogi', 'bioloogi'],
  ['kookki', 'kook'],
  ['juuakse', 'joo'],
  ['viiksime', 'viima'],
  ['seletanuksite', 'seleta'],
  ['rohelist', 'rohelise'],
  ['tegemiste', 'tegemise'],
  ['autosid', 'auto'],
  ['gaasid', 'gaasi'],
  ['torte', 'tort'],
  ['kokkuvõtte', 'kokkuvõte'],
  ['lapsikuid', 'lapsiku'],
  ["o'neill'i", "o'neill"],
])('takes the endings of Estonian words as the Snowball project does: %s', (word, stem) => {
  expect(estonian(word)).toBe(stem)
})

describe('filters of languages', () => {
  it.each([
    ['bengali_normalization', 'চাঁদ', ['চাদ']],
    ['german_normalization', 'weißbier uebung quelle', ['weissbier', 'ubung', 'quelle']],
    ['scandinavian_folding', 'räksmörgås blåbær', ['raksmorgas', 'blabar']],
    ['scandinavian_normalization', 'räksmörgaas', ['ræksmørgås']],
    [
      'persian_normalization',
      'های هاے کشاندن كتاب\u06c0 كتابه\u0654 زاد\u06c1',
      ['هاي', 'هاي', 'كشاندن', 'كتابه', 'كتابه', 'زاده'],
    ],
    ['serbian_normalization', 'абвгдђежзијклљмнњопрстћуфхцчџш đak', ['abvgddjezzijklljmnnjoprstcufhccdzs', 'djak']],
    ['hindi_normalization', 'अँगरेज़ी', ['अंगरेजि']],
    ['arabic_normalization', 'أَحْمَدُ', ['احمد']],
    ['cjk_width', 'ＡＢＣ ｱｲｳ', ['ABC', 'アイウ']],
    ['dutch_stem', 'ophouden', ['ophoud']],
    ['french_stem', 'chevaux', ['cheval']],
    [{ type: 'stemmer', language: 'light_spanish' }, 'chicanas', ['chican']],
    [{ type: 'stemmer', language: 'bengali' }, 'করেছিলাম', ['কর']],
    [{ type: 'stop', stopwords: '_swedish_' }, 'och katten', ['katten']],
    [{ type: 'delimited_payload', delimiter: '^', encoding: 'identity' }, 'foo^bar baz', ['foo', 'baz']],
    [{ type: 'common_grams', common_words: ['a'] }, 'a b c', ['a', 'a_b', 'b', 'c']],
    [
      { type: 'common_grams', common_words: ['the'], query_mode: true },
      'the quick fox is the',
      ['the_quick', 'quick', 'fox', 'is_the'],
    ],
  ])('%j', (filter, text, expected) => expect(filtered(filter, text)).toEqual(expected))

  it('pair letters of scripts without spaces, also beside single ones', () => {
    const text = '多くの学生 disk 試'
    expect(filtered('cjk_bigram', text, 'standard')).toEqual(['多く', 'くの', 'の学', '学生', 'disk', '試'])
    expect(filtered({ type: 'cjk_bigram', ignored_scripts: ['hiragana'] }, '多くの学生', 'standard')).toEqual([
      '多',
      'く',
      'の',
      '学生',
    ])
    const both = analyze(
      analysis.custom({ tokenizer: 'standard', filter: [{ type: 'cjk_bigram', output_unigrams: true }] }),
      '学生',
    )
    expect(both.map(({ text: word, position, type }) => [word, position, type])).toEqual([
      ['学', 0, '<SINGLE>'],
      ['学生', 0, '<DOUBLE>'],
      ['生', 1, '<SINGLE>'],
    ])
  })

  it('cut Thai by its dictionary', () => {
    const found = analyze(analysis.custom({ tokenizer: 'thai' }), 'ภาษาไทย')
    expect(found.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['ภาษา', 0, 4],
      ['ไทย', 4, 7],
    ])
  })

  it('say what they cannot do', () => {
    expect(() => filtered({ type: 'stemmer', language: 'klingon' }, 'x')).toThrow(
      'the stemmer [klingon] is not supported',
    )
    expect(() => filtered({ type: 'common_grams' }, 'x')).toThrow('missing or empty [common_words]')
    expect(() => filtered({ type: 'delimited_payload', encoding: 'x' }, 'x')).toThrow('Unknown encoding [x]')
    expect(() => filtered({ type: 'cjk_bigram', ignored_scripts: ['latin'] }, 'x')).toThrow('Unknown CJK script')
  })
})
