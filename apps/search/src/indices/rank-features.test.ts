import { isAppError } from '@logstack/errors'
import { describe, expect, it } from 'vitest'
import { mapDocument } from './map-document.ts'
import { mergeMappings } from './mapping-merge.ts'
import { parseMapping } from './mapping-parse.ts'

const mapping = parseMapping({
  properties: {
    rank: { type: 'rank_feature' },
    length: { type: 'rank_feature', positive_score_impact: false },
    filled: { type: 'rank_feature', null_value: 3 },
    topics: { type: 'rank_features' },
    many: { type: 'nested', properties: { rank: { type: 'rank_feature' } } },
  },
})

function values(source: unknown): Record<string, unknown> {
  const text = JSON.stringify(source)
  const document = mapDocument(mapping, {}, JSON.parse(text), { id: '1', bytes: Buffer.from(text) })
  return Object.fromEntries(document.values.map(({ field, values: found }) => [field.path, found]))
}

function refusal(source: unknown): string {
  try {
    values(source)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    return `${thrown.message} / ${isAppError(thrown.cause) ? `${thrown.cause.code}: ${thrown.cause.message}` : ''}`
  }
  return 'taken'
}

describe('features of a document', () => {
  it('are kept with nine bits, as their reciprocal where less is better', () => {
    expect(values({ rank: 10.3, length: 50 })).toEqual({ rank: [10.28125], length: [0.01995849609375] })
    expect(values({ rank: '1000.9' })).toEqual({ rank: [1000] })
    expect(values({ topics: { a: 7.77, b: null } })).toEqual({ topics: ['a\u00007.765625'] })
    expect(values({ topics: [{ a: 1 }, { b: 2 }] })).toEqual({ topics: ['a\u00001', 'b\u00002'] })
  })

  it('are none where nothing is written, but for a null_value', () => {
    expect(values({ rank: null, topics: {} })).toEqual({})
    expect(values({ filled: null })).toEqual({ filled: [3] })
    expect(values({ filled: '', rank: '' })).toEqual({ filled: [3] })
  })

  const least = 'which is less than the minimum positive normal float: 1.17549435E-38'
  it.each([
    [{ rank: 0 }, `got: 0.0 for feature rank on field _feature ${least}`],
    [{ rank: -3 }, `got: -3.0 for feature rank on field _feature ${least}`],
    [{ rank: 1e-40 }, `got: 1.0E-40 for feature rank on field _feature ${least}`],
    [{ length: 1e38 }, `got: 1.0000001E-38 for feature length on field _feature ${least}`],
    [{ rank: 1e39 }, 'featureValue must be finite, got: Infinity for feature rank on field _feature'],
    [{ length: 0 }, 'featureValue must be finite, got: Infinity for feature length on field _feature'],
    [{ rank: 'x' }, 'number_format_exception: For input string: "x"'],
    [{ rank: true }, 'Current token (VALUE_TRUE) not numeric'],
    [{ rank: [1, 2] }, 'do not support indexing multiple values for the same field [rank] in the same document'],
    [
      { topics: 3 },
      '[1:11] failed to parse: [rank_features] fields must be json objects, expected a START_OBJECT but got: VALUE_NUMBER',
    ],
    [{ topics: null }, 'expected a START_OBJECT but got: VALUE_NULL'],
    [{ topics: { a: [1] } }, 'strictly positive float, but got unexpected token START_ARRAY'],
    [{ topics: { a: true } }, 'strictly positive float, but got unexpected token VALUE_BOOLEAN'],
    [{ topics: { 'a.b': 1 } }, 'do not support dots in feature names but found [a.b]'],
    [{ topics: { a: 0 } }, `got: 0.0 for feature a on field topics ${least}`],
    [{ topics: [{ a: 1 }, { b: 1 }, { a: 2 }] }, 'multiple values for the same rank feature [topics.a]'],
  ])('refuse %j', (source, reason) => {
    expect(refusal(source)).toContain(reason)
  })

  it('may be one in each nested object', () => {
    expect(values({ many: [{ rank: 1 }, { rank: 2 }], rank: 1 })).toEqual({ 'many.rank': [1, 2], rank: [1] })
    expect(refusal({ many: { rank: [1] }, rank: [1, 2] })).toContain('multiple values for the same field [rank]')
  })
})

describe('the mapping of features', () => {
  it('does not show what is so unless said otherwise, and keeps it', () => {
    const shown = parseMapping({ properties: { a: { type: 'rank_feature', positive_score_impact: 'true' } } })
    expect(JSON.parse(JSON.stringify(shown))).toEqual({ properties: { a: { type: 'rank_feature' } } })
    const other = parseMapping({ properties: { rank: { type: 'rank_feature', positive_score_impact: false } } })
    expect(() => mergeMappings(mapping, other, 'update')).toThrow(
      'Cannot update parameter [positive_score_impact] from [true] to [false]',
    )
  })
})
