import type { Value } from '@logstack/rules'
import { z } from 'zod'
import { jsonToken } from '../../json/json-token.ts'
import { entryKey, keyedEntry } from '../keyed-fields.ts'
import { defineFieldType } from './define-field-type.ts'
import { featureValue } from './feature-value.ts'
import { illegalValue } from './leaf.ts'
import { commonParameters, positiveScoreImpact } from './parameters.ts'

/** One member of a document's features. */
class Feature {
  readonly name: string
  readonly value: unknown
  constructor(name: string, value: unknown) {
    this.name = name
    this.value = value
  }
}

/** `rank_features`: positive numbers by names that no mapping lists. Its column has an entry for each, the name with the number. */
export const rankFeaturesField = defineFieldType({
  name: 'rank_features',
  family: 'rank_features',
  valueType: 'string',
  aggregatable: false,
  refusals: {
    query: 'Queries on [rank_features] fields are not supported',
    exists: '[rank_features] fields do not support [exists] queries',
    values: '[rank_features] fields do not support sorting, scripting or aggregating',
  },
  objects: 'whole',
  namelessFailures: true,
  members: featuresOf,
  shownWhole: true,
  parameters: z.strictObject({ ...commonParameters, positive_score_impact: positiveScoreImpact }),
  parse(leaf, field) {
    if (!(leaf instanceof Feature))
      throw illegalValue(
        `[rank_features] fields must be json objects, expected a START_OBJECT but got: ${jsonToken(leaf)}`,
      )
    const { name, value } = leaf
    if (name.includes('.'))
      throw illegalValue(`[rank_features] fields do not support dots in feature names but found [${name}]`)
    if (value === null) return { absent: true }
    if (typeof value === 'object' || typeof value === 'boolean')
      throw illegalValue(
        `[rank_features] fields take hashes that map a feature to a strictly positive float, but got unexpected token ${jsonToken(value)}`,
      )
    return { value: keyedEntry(name, String(featureValue(value, name, field.path, field))) }
  },
  refuseSecond(value, before, { path }) {
    const name = entryKey(String(value))
    if (namesOf(before).has(name))
      throw illegalValue(
        `[rank_features] fields do not support indexing multiple values for the same rank feature [${path}.${name}] in the same document`,
      )
  },
  queryValue: String,
  show: String,
})

/** The features of an object, or of a list of them. */
function featuresOf(whole: unknown): readonly unknown[] {
  if (Array.isArray(whole)) return whole.flatMap(featuresOf)
  if (whole === null || typeof whole !== 'object') return [whole]
  return Object.entries(whole).map(([name, value]) => new Feature(name, value))
}

/** Of thousands of features each is compared with no other. */
const namesByList = new WeakMap<readonly Value[], Set<string>>()

function namesOf(entries: readonly Value[]): ReadonlySet<string> {
  const names = namesByList.get(entries) ?? new Set()
  namesByList.set(entries, names)
  for (let at = names.size; at < entries.length; at++) names.add(entryKey(String(entries[at])))
  return names
}
