import { z } from 'zod'
import { isUnsearchable } from '../../indices/field-types/index.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { numberFormatError } from '../../refusals/refuse.ts'
import type { LowerContext } from '../define-query.ts'

/** The name of a field, or of several, with what it counts behind `^`, which must be a number. */
export const boostedName = z.string().transform((name) => {
  const boost = /\^(.*)$/u.exec(name)?.[1]
  if (boost !== undefined && !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/u.test(boost))
    throw numberFormatError(boost)
  return name
})

const boosted = /\^[\d.]+$/u

/**
 * The fields of a query that names several: wildcards opened, boosts cut off, unmapped ones left out. Without names the index's default fields,
 * which for `*` are all searchable ones, read leniently.
 */
export function fieldList(
  names: readonly string[] | undefined,
  context: LowerContext,
  lenient: boolean | undefined,
): {
  readonly fields: readonly ResolvedField[]
  /** The boost of each field by its path. */
  readonly boosts: ReadonlyMap<string, number>
  readonly lenient: boolean
} {
  const wanted = names === undefined || names.length === 0 ? context.defaultFields() : names
  const everything = wanted.some((name) => name.replace(boosted, '') === '*')
  const found = new Map<string, ResolvedField>()
  const boosts = new Map<string, number>()
  for (const name of wanted) {
    const path = name.replace(boosted, '')
    const fields = path.includes('*') ? context.fieldsMatching(path) : [context.field(path)]
    for (const field of fields)
      if (field?.valueType !== undefined && !isUnsearchable(field.wireType)) {
        found.set(field.path, field)
        boosts.set(field.path, Number(boosted.exec(name)?.[0].slice(1) ?? 1))
      }
  }
  return { fields: [...found.values()], boosts, lenient: lenient ?? everything }
}
