import { isAppError } from '@logstack/errors'
import type { Value } from '@logstack/rules'
import type { LowerContext } from '../dsl/define-query.ts'
import type { FieldAndFormat, ScriptField } from '../dsl/search-request.ts'
import type { FieldType } from '../indices/field-types/define-field-type.ts'
import { fieldTypeOf, findFieldType } from '../indices/field-types/index.ts'
import type { ResolvedField } from '../indices/model.ts'
import { plainValue } from './plain-value.ts'
import { type DocumentReader, leavesOf, ownValue, type ScriptedDocument, writtenValues } from './scripted-values.ts'

/** Values by field; names are the documents' own, `toString` and `__proto__` among them. */
export type ShownFields = ReadonlyMap<string, readonly unknown[]>

/** The values that `fields` and `docvalue_fields` show of a document, read from its source as its mapping reads it. */
export function hitFields(
  document: ScriptedDocument,
  context: LowerContext,
  reader: DocumentReader,
  fields: readonly FieldAndFormat[],
  docvalues: readonly FieldAndFormat[],
): ShownFields {
  const shown = new Map<string, readonly unknown[]>()
  const add = (path: string, values: readonly unknown[]): void => {
    if (values.length > 0) shown.set(path, [...(shown.get(path) ?? []), ...values])
  }
  for (const asked of docvalues)
    for (const field of named(asked.field, context)) {
      add(field.path, ownValue(document, field.path) ?? keptValues(document, field, reader, asked.format))
    }
  for (const asked of fields)
    for (const field of named(asked.field, context)) {
      // What is asked for last of a field counts, in its format; it stands instead of `docvalue_fields`.
      const values = ownValue(document, field.path) ?? writtenIn(document, field, reader, asked.format)
      if (values.length > 0) shown.set(field.path, values)
    }
  return shown
}

/** The values of fields mapped with `store: true`, as they stand in the source. */
export function storedValues(source: unknown, context: LowerContext, patterns: readonly string[]): ShownFields {
  const shown = new Map<string, readonly unknown[]>()
  for (const field of patterns.flatMap((pattern) => named(pattern, context))) {
    const { store } = field.parameters
    if (store !== true && store !== 'true') continue
    const values = leavesOf(source, field)
    if (values.length > 0) shown.set(field.path, values)
  }
  return shown
}

function named(pattern: string, context: LowerContext): readonly ResolvedField[] {
  if (pattern.includes('*')) return context.fieldsMatching(pattern)
  const field = context.field(pattern)
  return field ? [field] : []
}

function isTree(leaf: unknown, type: FieldType): boolean {
  return type.objects === 'leaves' && typeof leaf === 'object' && leaf !== null
}

/** What `fields` shows: the values in the order in which they were written. */
function writtenIn(
  document: ScriptedDocument,
  field: ResolvedField,
  reader: DocumentReader,
  format: string | undefined,
): unknown[] {
  if (!findFieldType(field.wireType)) return []
  const type = fieldTypeOf(field.wireType)
  if (field.computed)
    return writtenValues(reader, field, document).map((value) =>
      type.showLeaf ? type.showLeaf(value, format) : type.show(value, field, format),
    )
  return leavesOf(document.source, field).flatMap((leaf) => {
    if (isTree(leaf, type)) return [leaf]
    const parsed = type.parse(leaf, field)
    if (!('value' in parsed)) return []
    return [type.showLeaf ? type.showLeaf(leaf, format) : type.show(parsed.value, field, format)]
  })
}

/** What `docvalue_fields` shows: the values as they are kept, in their order; equal texts are kept once, equal numbers are not. */
function keptValues(
  document: ScriptedDocument,
  field: ResolvedField,
  reader: DocumentReader,
  format: string | undefined,
): unknown[] {
  if (!findFieldType(field.wireType)) return []
  const type = fieldTypeOf(field.wireType)
  const kept = new Map<Value, unknown[]>()
  const keep = (value: Value, shown: unknown): void => {
    if (typeof value === 'string') kept.set(value, [shown])
    else kept.set(value, [...(kept.get(value) ?? []), shown])
  }
  if (field.computed)
    for (const value of writtenValues(reader, field, document)) keep(value, type.show(value, field, format))
  else
    for (const leaf of leavesOf(document.source, field).flatMap((one) =>
      isTree(one, type) ? scalarsWithin(one) : [one],
    )) {
      const parsed = type.parse(leaf, field)
      if (!('value' in parsed)) continue
      // Points are kept in one form and shown in another; ranges are shown as they were written.
      const asWritten = type.members ? undefined : type.showLeaf
      keep(parsed.value, asWritten ? asWritten(leaf, format) : type.show(parsed.value, field, format))
    }
  return [...kept].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).flatMap(([, shown]) => shown)
}

function scalarsWithin(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsWithin) : [value]
}

/** What the scripts of `script_fields` give for a document: each a list, a failed one that may fail none. */
export function scriptedFields(
  document: ScriptedDocument,
  reader: DocumentReader,
  scripts: readonly ScriptField[],
): ShownFields {
  const shown = new Map<string, readonly unknown[]>()
  for (const { name, script, ignoreFailure } of scripts) {
    try {
      shown.set(name, [reader.run(script, document)].flat().map(plainValue))
    } catch (thrown) {
      if (!ignoreFailure || !isAppError(thrown)) throw thrown
    }
  }
  return shown
}
