import { z } from 'zod'

/** A JSON scalar. */
export const scalar = z.union([z.string(), z.number(), z.boolean(), z.bigint()])
/** A boolean, also as the texts that Elasticsearch's parsers take. */
export const flag = z.union([
  z.boolean(),
  z.literal('true').transform(() => true),
  z.literal('false').transform(() => false),
])
/** A number, also as text. */
export const decimal = z.union([
  z.number(),
  z.bigint().transform(Number),
  z
    .string()
    .regex(/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/u)
    .transform(Number),
])
/** A whole number, also as text. */
export const whole = z.union([
  z.int(),
  z
    .string()
    .regex(/^[+-]?\d+$/u)
    .transform(Number),
])
/** A whole number of which what stands behind the point is cut off. */
export const cutWhole = z.union([whole, z.number().transform(Math.trunc)])
/** Parameters every clause takes. Scores are constant, so a boost changes nothing. */
export const clauseParameters = { boost: decimal.optional(), _name: z.string().optional() } as const
/** One or several, always read as a list. */
export function oneOrMany<T>(member: z.ZodType<T>): z.ZodType<readonly T[]> {
  return z.union([z.array(member), member.transform((only) => [only])])
}
