import { leavesAt } from '@logstack/rules'
import type { LowerContext } from '../dsl/define-query.ts'
import type { FieldAndFormat } from '../dsl/search-request.ts'
import { fieldTypeOf, findFieldType } from '../indices/field-types/index.ts'
import type { ResolvedField } from '../indices/model.ts'

/** The values that `fields` and `docvalue_fields` show of a document, read from its source as its mapping reads it. */
export function hitFields(
  source: unknown,
  context: LowerContext,
  fields: readonly FieldAndFormat[],
  docvalues: readonly FieldAndFormat[],
): Record<string, readonly unknown[]> {
  const shown: Record<string, readonly unknown[]> = {}
  for (const { asked, sorted } of [
    ...docvalues.map((asked) => ({ asked, sorted: true })),
    ...fields.map((asked) => ({ asked, sorted: false })),
  ]) {
    for (const field of named(asked.field, context)) {
      const values = showValues(source, field, asked.format)
      if (values.length === 0) continue
      const own = sorted ? [...new Set(values)].sort() : values
      shown[field.path] = [...(shown[field.path] ?? []), ...own]
    }
  }
  return shown
}

function named(pattern: string, context: LowerContext): readonly ResolvedField[] {
  if (pattern.includes('*')) return context.fieldsMatching(pattern)
  const field = context.field(pattern)
  return field ? [field] : []
}

function showValues(source: unknown, field: ResolvedField, format: string | undefined): unknown[] {
  if (!findFieldType(field.wireType)) return []
  const type = fieldTypeOf(field.wireType)
  return leavesAt(source, field.sourcePath).flatMap((leaf) => {
    const parsed = type.parse(leaf, field)
    if (!('value' in parsed)) return []
    return [type.showLeaf ? type.showLeaf(leaf) : type.show(parsed.value, field, format)]
  })
}
