import { z } from 'zod'

/** A boolean parameter; the texts `true` and `false` count too, as in Elasticsearch. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

/** A whole number, also as text. */
export const wholeNumber = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,10}$/)
    .transform(Number),
])

/** A number, also as text. */
export const anyNumber = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())])

const metaLimits = { entriesMax: 5, keyLengthMax: 20, valueLengthMax: 50 } as const

/** Parameters that every field type takes. */
export const commonParameters = {
  copy_to: z.union([z.string().transform((path) => [path]), z.array(z.string())]).optional(),
  meta: z
    .record(z.string().max(metaLimits.keyLengthMax), z.string().max(metaLimits.valueLengthMax))
    .refine(
      (meta) => Object.keys(meta).length <= metaLimits.entriesMax,
      `[meta] can't have more than ${metaLimits.entriesMax} entries`,
    )
    .optional(),
}

/** Parameters of types that can be left unindexed or without doc values. */
export const indexingParameters = {
  ...commonParameters,
  index: flag.optional(),
  doc_values: flag.optional(),
  store: flag.optional(),
  time_series_dimension: flag.optional(),
}

/** Parameters of types that can refuse or skip a malformed value. */
export const malformedParameters = { ...indexingParameters, ignore_malformed: flag.optional() }

const scalar = z.union([z.string(), z.number(), z.boolean()])

/** `null_value` of types that check it themselves when the mapping is put. */
export const nullValue = scalar.nullable().optional()

/** Of features: whether more of it ranks a document higher. What is so unless said otherwise is not shown. */
export const positiveScoreImpact = flag.transform((given) => (given ? undefined : false)).optional()
