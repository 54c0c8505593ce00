import { isAppError } from '@logstack/errors'
import { compilePattern, leavesAt, type Value, wholesAt } from '@logstack/rules'
import type { LowerContext } from '../../dsl/define-query.ts'
import { formatNumber } from '../../dsl/number-format.ts'
import type { FieldAndFormat, ScriptField } from '../../dsl/search-request.ts'
import type { FieldType } from '../../indices/field-types/define-field-type.ts'
import { fieldTypeOf, findFieldType } from '../../indices/field-types/index.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { plainValue } from '../../painless/plain-value.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import {
  type DocumentReader,
  leavesOf,
  ownValue,
  type ScriptedDocument,
  writtenValues,
} from '../leaves/scripted-values.ts'

/** Values by field; names are the documents' own, `toString` and `__proto__` among them. */
export type ShownFields = ReadonlyMap<string, readonly unknown[]>

/** What of fields a hit shows; `inside` is the path of the objects that are shown instead of documents. */
interface AskedFields {
  readonly fields: readonly FieldAndFormat[]
  readonly docvalueFields: readonly FieldAndFormat[]
  readonly inside?: string
}

/** The values that `fields` and `docvalue_fields` show of a document, read from its source as its mapping reads it. */
export function hitFields(
  document: ScriptedDocument,
  context: LowerContext,
  reader: DocumentReader,
  { fields, docvalueFields, inside = '' }: AskedFields,
): ShownFields {
  const shown = new Map<string, readonly unknown[]>()
  const add = (path: string, values: readonly unknown[]): void => {
    if (values.length > 0) shown.set(path, [...(shown.get(path) ?? []), ...values])
  }
  for (const asked of docvalueFields)
    for (const [name, field] of named(asked.field, context)) {
      if (nestedRoot(field, context, inside) === undefined)
        add(name, ownValue(document, field.path) ?? keptValues(document, field, reader, asked.format))
    }
  const objects = new Map<string, AskedField[]>()
  for (const asked of fields)
    for (const [name, field] of named(asked.field, context)) {
      const root = nestedRoot(field, context, '')
      if (root !== undefined) {
        objects.set(root, [...(objects.get(root) ?? []), { field, format: asked.format }])
        continue
      }
      // What is asked for last of a field counts, in its format; it stands instead of `docvalue_fields`.
      const values = ownValue(document, field.path) ?? writtenIn(document, field, reader, asked.format)
      if (values.length > 0) shown.set(name, values)
    }
  for (const [root, below] of objects) {
    const values = objectsAt(document, { root, above: '' }, below, context, reader)
    if (values.length > 0) shown.set(root, values)
  }
  return shown
}

/** The outermost path above a field, below the one whose objects are shown, whose objects are kept apart. */
function nestedRoot({ sourcePath }: ResolvedField, context: LowerContext, inside: string): string | undefined {
  const from = sourcePath.startsWith(`${inside}.`) ? inside.length + 1 : 0
  for (let dot = sourcePath.indexOf('.', from); dot > 0; dot = sourcePath.indexOf('.', dot + 1))
    if (context.isNested(sourcePath.slice(0, dot))) return sourcePath.slice(0, dot)
  return undefined
}

/** A field that is shown, and how. */
interface AskedField {
  readonly field: ResolvedField
  readonly format: string | undefined
}

/** Objects that are kept apart at a path below another one's, each with the values of its own fields and with such objects of its own. */
function objectsAt(
  document: ScriptedDocument,
  { root, above }: { readonly root: string; readonly above: string },
  fields: readonly AskedField[],
  context: LowerContext,
  reader: DocumentReader,
): unknown[] {
  const deeper = new Map<string | undefined, AskedField[]>()
  for (const asked of fields) {
    const below = nestedRoot(asked.field, context, root)
    deeper.set(below, [...(deeper.get(below) ?? []), asked])
  }
  return leavesAt(document.source, within(root, above))
    .flat()
    .flatMap((source) => {
      if (typeof source !== 'object' || source === null) return []
      const own = { ...document, source }
      const entries = [...deeper].flatMap(([below, some]): [string, unknown[]][] =>
        below === undefined
          ? some.map(({ field, format }) => {
              const inner = { ...field, path: within(field.path, root), sourcePath: within(field.sourcePath, root) }
              return [inner.path, writtenIn(own, inner, reader, format)]
            })
          : [[within(below, root), objectsAt(own, { root: below, above: root }, some, context, reader)]],
      )
      const shown = entries.filter(([, values]) => values.length > 0)
      return shown.length === 0 ? [] : [Object.fromEntries(shown)]
    })
}

function within(path: string, root: string): string {
  return path.startsWith(`${root}.`) ? path.slice(root.length + 1) : path
}

/** The values of fields mapped with `store: true`, as they stand in the source. */
export function storedValues(source: unknown, context: LowerContext, patterns: readonly string[]): ShownFields {
  const shown = new Map<string, readonly unknown[]>()
  for (const [, field] of patterns.flatMap((pattern) => named(pattern, context))) {
    const { store } = field.parameters
    if (store !== true && store !== 'true') continue
    const values = leavesOf(source, field)
    if (values.length > 0) shown.set(field.path, values)
  }
  return shown
}

function matchesPattern(text: string, path: string): boolean {
  return compilePattern({ kind: 'wildcard', text, caseInsensitive: false })(path)
}

/** The fields a name or a pattern means, each by the name it was found under: an alias is shown by its own. */
function named(pattern: string, context: LowerContext): readonly (readonly [name: string, field: ResolvedField])[] {
  if (pattern.includes('*'))
    return [
      // Unlike a query for all fields, which would compute those of the request over all documents, this reads a few hits.
      ...context
        .fieldsMatching(pattern === '*' ? '**' : pattern)
        .filter(({ path }) => matchesPattern(pattern, path))
        .map((field) => [field.path, field] as const),
      ...context.aliasesMatching(pattern),
    ]
  const field = context.field(pattern)
  return field ? [[pattern, field]] : []
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
  if (type.shownWhole) return wholesAt(document.source, field.sourcePath).flat(Number.POSITIVE_INFINITY)
  return leavesOf(document.source, field).flatMap((leaf) => {
    if (isTree(leaf, type)) return [leaf]
    const parsed = type.parse(leaf, field, { id: String(document.metadata['_id']) })
    if (type.isUnshown || !('value' in parsed)) return []
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
  if (type.refusals) throw illegalArgument(type.refusals.values)
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
      const parsed = type.parse(leaf, field, { id: String(document.metadata['_id']) })
      if (!('value' in parsed)) continue
      // Points are kept in one form and shown in another; ranges are shown as they were written.
      const asWritten = type.members ? undefined : type.showLeaf
      keep(parsed.value, asWritten ? asWritten(leaf, format) : shownIn(format, parsed.value, field, type))
    }
  return [...kept].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).flatMap(([, shown]) => shown)
}

/** A value in a format: of numbers that is a pattern of digits. */
function shownIn(format: string | undefined, value: Value, field: ResolvedField, type: FieldType): unknown {
  const isNumber = field.valueType === 'long' || field.valueType === 'double' || field.valueType === 'unsigned'
  return isNumber && format !== undefined ? formatNumber(format, Number(value)) : type.show(value, field, format)
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
