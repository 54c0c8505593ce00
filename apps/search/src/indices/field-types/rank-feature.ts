import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { defineFieldType } from './define-field-type.ts'
import { featureValue, shortFloat } from './feature-value.ts'
import { illegalValue, readLeaf } from './leaf.ts'
import { showNumber } from './number-reading.ts'
import { anyNumber, commonParameters, positiveScoreImpact } from './parameters.ts'

const unsearchable = 'Queries on [rank_feature] fields are not supported'

/** `rank_feature`: a positive number that documents are ranked by, and found by in no other way. */
export const rankFeatureField = defineFieldType({
  name: 'rank_feature',
  family: 'rank_feature',
  valueType: 'double',
  aggregatable: false,
  refusals: {
    query: unsearchable,
    values: '[rank_feature] fields do not support sorting, scripting or aggregating',
  },
  parameters: z.strictObject({
    ...commonParameters,
    positive_score_impact: positiveScoreImpact,
    null_value: anyNumber.optional(),
  }),
  parse: readLeaf((leaf, field) => {
    // An empty text is no value, as null is none.
    const value = leaf === '' ? field.parameters['null_value'] : leaf
    return value === undefined ? { absent: true } : featureValue(value, field.path, '_feature', field)
  }),
  refuseSecond(_value, before, { path }) {
    if (before.length > 0)
      throw illegalValue(
        `[rank_feature] fields do not support indexing multiple values for the same field [${path}] in the same document`,
      )
  },
  queryValue() {
    throw illegalValue(unsearchable)
  },
  show: showNumber,
  // Its column has the number as it is kept, and its reciprocal where less is better.
  showLeaf: (leaf) => (typeof leaf === 'object' ? leaf : new Double(shortFloat(Number(leaf)))),
})
