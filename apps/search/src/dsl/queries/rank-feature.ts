import { none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import type { ResolvedField } from '../../model/mapping.ts'
import { contentError, illegalArgument, memberError, ofRequest } from '../../refusals/refuse.ts'
import { type FeatureShape, noScore, type Score } from '../../scores/score.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { searchableFeature } from '../shapes/feature.ts'
import { clauseParameters, decimal } from '../shapes/scalars.ts'

const functions = {
  log: z.strictObject({ scaling_factor: decimal }),
  saturation: z.strictObject({ pivot: decimal.optional() }),
  sigmoid: z.strictObject({ pivot: decimal, exponent: decimal }),
  linear: z.strictObject({}),
} as const
type Kind = keyof typeof functions

const given = z.record(z.string(), z.unknown()).optional()
const schema = z
  .looseObject({
    field: z.string().optional(),
    log: given,
    saturation: given,
    sigmoid: given,
    linear: given,
    ...clauseParameters,
  })
  .transform((body) => ({ field: body.field, shape: shapeOf(body) }))
type Body = z.output<typeof schema>

/** `rank_feature`: documents with a feature, scored by a function of it. */
export const rankFeature = defineQuery({
  name: 'rank_feature',
  schema,
  lower(body, context): Predicate {
    const found = featureOf(body, context)
    return found ? { op: 'present', field: found.field } : none
  },
  score(body, context): Score {
    const found = featureOf(body, context)
    return found ? { op: 'feature', ...found, boost: 1 } : noScore
  },
})

function featureOf({ field: path = '', shape }: Body, context: LowerContext) {
  const found = context.feature(path)
  if (!found) return undefined
  const isFeature = found.wireType === 'rank_feature' || (found.wireType === 'rank_features' && found.keyed)
  if (!isFeature)
    throw illegalArgument(
      `[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not [${found.wireType}]`,
    )
  const isAlone = found.wireType === 'rank_feature'
  return { field: searchableFeature(found), shape: shapeFor(shape, found.parameters, isAlone) }
}

/** The function, which `log` is none of for a field where less is better. */
function shapeFor(
  shape: FeatureShape,
  { positive_score_impact: impact }: ResolvedField['parameters'],
  isAlone: boolean,
) {
  if (shape.kind === 'log' && isAlone && impact === false)
    throw illegalArgument(
      'Cannot use the [log] function with a field that has a negative score impact as it would trigger negative scores',
    )
  return checked(shape)
}

function checked(shape: FeatureShape): FeatureShape {
  if ('pivot' in shape && shape.pivot !== undefined && !(shape.pivot > 0))
    throw illegalArgument(`pivot must be > 0, got: ${shown(shape.pivot)}`)
  if (shape.kind === 'sigmoid' && !(shape.exponent > 0))
    throw illegalArgument(`exp must be > 0, got: ${shown(shape.exponent)}`)
  if (shape.kind === 'log' && !(shape.scalingFactor >= 1))
    throw illegalArgument(`scalingFactor must be >= 1, got: ${shown(shape.scalingFactor)}`)
  return shape
}

function shown(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

const members = new Set(['field', 'boost', '_name', ...Object.keys(functions)])

function shapeOf(body: Readonly<Record<string, unknown>>): FeatureShape {
  const unknown = Object.keys(body).find((name) => !members.has(name))
  if (unknown !== undefined) throw ofRequest(contentError(`[feature] unknown field [${unknown}]`))
  const kinds = (Object.keys(functions) as Kind[]).filter((kind) => body[kind] !== undefined)
  const [kind = 'saturation', second] = kinds
  if (second !== undefined)
    throw ofRequest(
      contentError(
        'Failed to build [feature] after last required field arrived',
        illegalArgument('Can only specify one of [log], [saturation], [sigmoid] and [linear]'),
      ),
    )
  if (body['field'] === undefined) throw ofRequest(illegalArgument('Required [field]'))
  return readShape(kind, body[kind] ?? {})
}

function readShape(kind: Kind, written: unknown): FeatureShape {
  switch (kind) {
    case 'log': {
      const { scaling_factor: scalingFactor } = readFunction(kind, functions.log, written)
      return { kind, scalingFactor: Math.fround(scalingFactor) }
    }
    case 'saturation': {
      const { pivot } = readFunction(kind, functions.saturation, written)
      return { kind, pivot: pivot === undefined ? undefined : Math.fround(pivot) }
    }
    case 'sigmoid': {
      const { pivot, exponent } = readFunction(kind, functions.sigmoid, written)
      return { kind, pivot: Math.fround(pivot), exponent: Math.fround(exponent) }
    }
    case 'linear':
      readFunction(kind, functions.linear, written)
      return { kind }
  }
}

function readFunction<T>(kind: Kind, shape: z.ZodType<T>, written: unknown): T {
  const read = shape.safeParse(written)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const member = String(issue?.path[0] ?? '')
  if (issue?.code === 'unrecognized_keys')
    throw memberError('feature', kind, contentError(`[${kind}] unknown field [${issue.keys[0]}]`))
  const missing = typeof written === 'object' && written !== null && !Object.hasOwn(written, member)
  throw memberError(
    'feature',
    kind,
    missing ? illegalArgument(`Required [${member}]`) : contentError(`[${kind}] failed to parse field [${member}]`),
  )
}
