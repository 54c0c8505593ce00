import { isAppError } from '@logstack/errors'
import type { Value } from '@logstack/rules'
import type { LowerContext } from '../dsl/define-query.ts'
import type { FieldAndFormat, ScriptField } from '../dsl/search-request.ts'
import { fieldTypeOf, findFieldType } from '../indices/field-types/index.ts'
import type { ResolvedField } from '../indices/model.ts'
import { plainValue } from './plain-value.ts'
import { type DocumentReader, leavesOf, type ScriptedDocument, writtenValues } from './scripted-values.ts'

/** The values that `fields` and `docvalue_fields` show of a document, read from its source as its mapping reads it. */
export function hitFields(
  document: ScriptedDocument,
  context: LowerContext,
  reader: DocumentReader,
  fields: readonly FieldAndFormat[],
  docvalues: readonly FieldAndFormat[],
): Record<string, readonly unknown[]> {
  const shown: Record<string, readonly unknown[]> = {}
  for (const { asked, sorted } of [
    ...docvalues.map((asked) => ({ asked, sorted: true })),
    ...fields.map((asked) => ({ asked, sorted: false })),
  ]) {
    for (const field of named(asked.field, context)) {
      const own = document.metadata[field.path]
      const values =
        own !== undefined
          ? [own]
          : field.computed
            ? showComputed(writtenValues(reader, field, document), field, asked.format)
            : showValues(document.source, field, asked.format, sorted)
      if (values.length === 0) continue
      const kept = sorted ? [...new Set(values)].sort() : values
      shown[field.path] = [...(shown[field.path] ?? []), ...kept]
    }
  }
  return shown
}

/** The values of fields mapped with `store: true`, as they stand in the source. */
export function storedValues(
  source: unknown,
  context: LowerContext,
  patterns: readonly string[],
): Record<string, readonly unknown[]> {
  const shown: Record<string, readonly unknown[]> = {}
  for (const field of patterns.flatMap((pattern) => named(pattern, context))) {
    const { store } = field.parameters
    if (store !== true && store !== 'true') continue
    const values = leavesOf(source, field)
    if (values.length > 0) shown[field.path] = values
  }
  return shown
}

function named(pattern: string, context: LowerContext): readonly ResolvedField[] {
  if (pattern.includes('*')) return context.fieldsMatching(pattern)
  const field = context.field(pattern)
  return field ? [field] : []
}

function showValues(source: unknown, field: ResolvedField, format: string | undefined, docvalues: boolean): unknown[] {
  if (!findFieldType(field.wireType)) return []
  const type = fieldTypeOf(field.wireType)
  // Points are kept in one form and shown in another; docvalue_fields shows what is kept.
  const asWritten = docvalues && type.members ? undefined : type.showLeaf
  const leaves = leavesOf(source, field)
  const isTree = (leaf: unknown): boolean => type.objects === 'leaves' && typeof leaf === 'object' && leaf !== null
  return (docvalues && leaves.some(isTree) ? leaves.flatMap(scalarsWithin) : leaves).flatMap((leaf) => {
    if (isTree(leaf)) return [leaf]
    const parsed = type.parse(leaf, field)
    if (!('value' in parsed)) return []
    return [asWritten ? asWritten(leaf, format) : type.show(parsed.value, field, format)]
  })
}

function scalarsWithin(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsWithin) : [value]
}

function showComputed(values: readonly Value[], field: ResolvedField, format: string | undefined): unknown[] {
  const type = fieldTypeOf(field.wireType)
  return values.map((value) => type.show(value, field, format))
}

/** What the scripts of `script_fields` give for a document: each a list, a failed one that may fail none. */
export function scriptedFields(
  document: ScriptedDocument,
  reader: DocumentReader,
  scripts: readonly ScriptField[],
): Record<string, readonly unknown[]> {
  const shown: Record<string, readonly unknown[]> = {}
  for (const { name, script, ignoreFailure } of scripts) {
    try {
      shown[name] = [reader.run(script, document)].flat().map(plainValue)
    } catch (thrown) {
      if (!ignoreFailure || !isAppError(thrown)) throw thrown
    }
  }
  return shown
}
