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
import { type UnmappedRequest, unmappedValues } from './unmapped-values.ts'

/** Values by field; names are the documents' own, `toString` and `__proto__` among them. */
export type ShownFields = ReadonlyMap<string, readonly unknown[]>

/** What of fields a hit shows; `inside` is the path of the objects that are shown instead of documents. */
interface AskedFields {
  readonly fields: readonly FieldAndFormat[]
  readonly docvalueFields: readonly FieldAndFormat[]
  readonly inside?: string
  /** Takes the values that `fields` leaves out of a field, as they were written. */
  readonly leftOut?: Map<string, readonly unknown[]>
}

/** The values that `fields` and `docvalue_fields` show of a document, read from its source as its mapping reads it. */
export function hitFields(
  document: ScriptedDocument,
  context: LowerContext,
  reader: DocumentReader,
  { fields, docvalueFields, inside = '', leftOut }: AskedFields,
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
  // What is asked for last of a field counts, in its format; it stands instead of `docvalue_fields`.
  for (const [name, values] of writtenFields(document, context, reader, fields, leftOut)) shown.set(name, values)
  return shown
}

/** The values that `fields` shows; those it leaves out are put into `leftOut`. */
function writtenFields(
  document: ScriptedDocument,
  context: LowerContext,
  reader: DocumentReader,
  fields: readonly FieldAndFormat[],
  leftOut: AskedFields['leftOut'],
): ShownFields {
  const shown = new Map<string, readonly unknown[]>()
  const objects = new Map<string, AskedField[]>()
  for (const asked of fields)
    for (const [name, field] of named(asked.field, context)) {
      const root = nestedRoot(field, context, '')
      if (root !== undefined) {
        objects.set(root, [...(objects.get(root) ?? []), { field, format: asked.format }])
        continue
      }
      const ignored: unknown[] = []
      const values = ownValue(document, field.path) ?? writtenIn(document, field, reader, asked.format, ignored)
      if (values.length > 0) shown.set(name, values)
      if (ignored.length > 0) leftOut?.set(name, ignored)
    }
  const unmapped = unmappedOf(fields, context, (path) => {
    if (!objects.has(path)) objects.set(path, [])
  })
  if (unmapped && typeof document.source === 'object' && document.source !== null)
    for (const [path, values] of unmappedValues(document.source, '', unmapped))
      if (!shown.has(path)) shown.set(path, values)
  for (const [root, below] of objects) {
    const values = objectsAt(document, { root, above: '' }, below, { context, reader, unmapped })
    if (values.length > 0) shown.set(root, values)
  }
  return shown
}

/** What is asked for of what is mapped to nothing; undefined where nothing is. */
function unmappedOf(
  fields: readonly FieldAndFormat[],
  context: LowerContext,
  apart: (path: string) => void,
): UnmappedRequest | undefined {
  const patterns = fields.filter(({ unmapped }) => unmapped).map(({ field }) => field)
  if (patterns.length === 0) return undefined
  return { context, accepts: (path) => patterns.some((pattern) => matchesPattern(pattern, path)), apart }
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

/** How objects are read that are shown. */
interface ObjectsView {
  readonly context: LowerContext
  readonly reader: DocumentReader
  readonly unmapped: UnmappedRequest | undefined
}

/** Objects that are kept apart at a path below another one's, each with the values of its own fields and with such objects of its own. */
function objectsAt(
  document: ScriptedDocument,
  { root, above }: { readonly root: string; readonly above: string },
  fields: readonly AskedField[],
  view: ObjectsView,
): unknown[] {
  const { context, reader, unmapped } = view
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
              const inner = fieldWithin(field, root)
              return [inner.path, writtenIn(own, inner, reader, format)]
            })
          : [[within(below, root), objectsAt(own, { root: below, above: root }, some, view)]],
      )
      if (unmapped)
        for (const [path, values] of unmappedValues(source, `${root}.`, { ...unmapped, apart: undefined }))
          entries.push([within(path, root), values])
      const shown = entries.filter(([, values]) => values.length > 0)
      return shown.length === 0 ? [] : [Object.fromEntries(shown)]
    })
}

/** A field as objects at a path have it. */
function fieldWithin(field: ResolvedField, root: string): ResolvedField {
  const { path, sourcePath, copiedFrom } = field
  const inner = { ...field, path: within(path, root), sourcePath: within(sourcePath, root) }
  const copied = copiedFrom?.filter((each) => each.startsWith(`${root}.`)).map((each) => within(each, root))
  return copied ? { ...inner, copiedFrom: copied } : inner
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
  ignored: unknown[] = [],
): unknown[] {
  if (!findFieldType(field.wireType)) return []
  const type = fieldTypeOf(field.wireType)
  if (field.computed)
    return writtenValues(reader, field, document).map((value) =>
      type.showLeaf ? type.showLeaf(value, format, field) : type.show(value, field, format),
    )
  if (type.shownWhole) return wholesAt(document.source, field.sourcePath).flat(Number.POSITIVE_INFINITY)
  // Texts are shown as they were written, and not as their columns have them.
  const { words: _, ...written } = field
  return leavesOf(document.source, field).flatMap((leaf) => {
    if (isTree(leaf, type)) return [leaf]
    const parsed = type.parse(leaf, written, { id: String(document.metadata['_id']) })
    if ('ignored' in parsed && !type.objects) ignored.push(leaf)
    if (type.isUnshown || !('value' in parsed)) return []
    return [type.showLeaf ? type.showLeaf(leaf, format, field) : type.show(parsed.value, field, format)]
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
      keep(parsed.value, asWritten ? asWritten(leaf, format, field) : shownIn(format, parsed.value, field, type))
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
