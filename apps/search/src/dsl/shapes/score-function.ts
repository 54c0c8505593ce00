import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { illegalArgument, javaEnum, parsingError, readStrictly } from '../../refusals/refuse.ts'
import type { ScoreFunction } from '../../scores/score-functions.ts'
import { distanceOf, pointOf } from '../../values/geo.ts'
import { scalarText } from '../../values/scalar-text.ts'
import type { LowerContext } from '../define-query.ts'
import { metadataField } from '../metadata-fields.ts'
import { fixedIntervalMs } from './date-rounding.ts'
import { dateValue, isDate, type SearchableField, searchable } from './field-value.ts'
import { decimal, scalar } from './scalars.ts'

type Value = NonNullable<ScoreFunction['value']>
/** A function as it was read, for any index. */
type ReadValue = (context: LowerContext) => Value

/** Where the lists of what functions may be told stand in Java. */
export const functionList = 'org.elasticsearch.common.lucene.search.function'
const modifierNames = ['none', 'log', 'log1p', 'log2p', 'ln', 'ln1p', 'ln2p', 'square', 'sqrt', 'reciprocal'] as const
const fieldFactor = z.strictObject({
  field: z.string(),
  factor: decimal.optional(),
  modifier: javaEnum(modifierNames, `${functionList}.FieldValueFactorFunction.Modifier`).optional(),
  missing: decimal.optional(),
})
const random = z.strictObject({ seed: scalar.optional(), field: z.string().optional() })
const scripted = z.strictObject({ script: z.unknown() })
const decayBody = z.strictObject({
  origin: z.unknown().optional(),
  scale: scalar,
  offset: scalar.optional(),
  decay: decimal.optional(),
})
const decayModes = ['min', 'max', 'avg', 'sum'] as const

/** The functions of `function_score` by their wire names; each reads its body once. */
export const scoreFunctionReaders: Readonly<Record<string, (body: unknown) => ReadValue>> = {
  field_value_factor(body) {
    const {
      field,
      factor = 1,
      modifier = 'none',
      missing,
    } = readStrictly(fieldFactor, body, 'field_value_factor', 'query')
    return (context) => {
      const found = numericField(field, context, missing !== undefined)
      return { kind: 'field', field: { path: field, type: found?.valueType ?? 'double' }, factor, modifier, missing }
    }
  },
  random_score(body) {
    const { seed, field } = readStrictly(random, body, 'random_score', 'query')
    const own = seed === undefined ? Math.floor(Math.random() * 2 ** 31) : hashOf(seed)
    return (context) => {
      const found = field === undefined ? undefined : (metadataField(field) ?? context.field(field))
      const valueType = found?.valueType
      return {
        kind: 'random',
        seed: own,
        field: field !== undefined && valueType ? { path: field, type: valueType } : undefined,
      }
    }
  },
  script_score(body) {
    const { script } = readStrictly(scripted, body, 'script_score', 'query')
    return (context) => ({ kind: 'computed', field: context.computed.scoring(script, 'factor') })
  },
  gauss: (body) => decay('gauss', body),
  exp: (body) => decay('exp', body),
  linear: (body) => decay('linear', body),
}

function numericField(path: string, context: LowerContext, quiet: boolean): SearchableField | undefined {
  const found = context.field(path)
  if (!found) {
    if (quiet || !context.hasIndex) return undefined
    throw new AppError(
      searchErrors.exception,
      `Unable to find a field mapper for field [${path}]. No 'missing' value defined.`,
    )
  }
  return searchable(found)
}

/** Seeds may be texts. */
function hashOf(seed: z.infer<typeof scalar>): number {
  if (typeof seed === 'number' && Number.isSafeInteger(seed)) return Math.abs(seed)
  let hash = 0
  for (const letter of String(seed)) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 2_147_483_647
  return hash
}

function decay(shape: 'gauss' | 'exp' | 'linear', body: unknown): ReadValue {
  if (body === null || typeof body !== 'object') throw parsingError(`malformed score function score parameters.`)
  const { multi_value_mode: given = 'MIN', ...fields }: Record<string, unknown> = { ...body }
  const wanted = scalarText(given)
  const mode = decayModes.find((known) => known === wanted.toLowerCase())
  if (!mode) throw illegalArgument(`Illegal value for multi_value_mode [${wanted}]`)
  const [first, second] = Object.entries(fields)
  if (!first || second) throw parsingError('malformed score function score parameters.')
  const [path, parameters] = first
  const read = readStrictly(decayBody, parameters, shape, 'query')
  const by = read.decay ?? 0.5
  if (by <= 0 || by >= 1) throw illegalArgument('decay must be in the range [0..1].')
  return (context) => {
    const field = context.field(path)
    if (!field && context.hasIndex) throw parsingError(`unknown field [${path}]`)
    const place = field
      ? placed(searchable(field), read, context)
      : { origin: 0, scale: 1, offset: 0, point: undefined }
    if (!(place.scale > 0)) throw illegalArgument('function_score : scale must be > 0.0.')
    return {
      kind: 'decay',
      field: { path: field?.path ?? path, type: field?.valueType ?? 'double' },
      shape,
      ...place,
      decay: by,
      mode,
    }
  }
}

/** Origin, scale and offset in the unit of the field. */
function placed(
  field: SearchableField,
  { origin, scale, offset = 0 }: z.infer<typeof decayBody>,
  context: LowerContext,
) {
  if (field.wireType === 'geo_point') {
    if (origin === undefined) throw parsingError('[origin] must be set for geo fields.')
    return { origin: 0, point: pointOf(origin), scale: distanceOf(scale), offset: distanceOf(offset) }
  }
  if (isDate(field)) {
    const unit = field.valueType === 'date_nanos' ? 1_000_000 : 1
    const time = (given: unknown) => (given === 0 ? 0 : fixedIntervalMs(String(given))) * unit
    const start = dateValue(origin ?? 'now', field, { nowMs: context.nowMs, roundUp: false })
    return { origin: Number(start), point: undefined, scale: time(scale), offset: time(offset) }
  }
  if (origin === undefined)
    throw new AppError(searchErrors.parse_exception, 'both [scale] and [origin] must be set for numeric fields.')
  if (!['long', 'unsigned', 'double'].includes(field.valueType))
    throw illegalArgument(`field [${field.path}] is of type [${field.wireType}], but only numeric types are supported.`)
  return { origin: Number(origin), point: undefined, scale: Number(scale), offset: Number(offset) }
}
