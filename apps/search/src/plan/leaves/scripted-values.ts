import { isAppError } from '@logstack/errors'
import { leavesWithNulls, type Value, wholesAt } from '@logstack/rules'
import type { OwnDocument } from '../../indices/field-types/define-field-type.ts'
import { fieldTypeOf, findFieldType } from '../../indices/field-types/index.ts'
import { columnTextOf } from '../../indices/field-types/text.ts'
import { valuesRefusal } from '../../indices/field-types/values-refusal.ts'
import { firstObject, parseSource } from '../../json/source-json.ts'
import type { ComputedField, ResolvedField } from '../../model/mapping.ts'
import { BytesValue } from '../../painless/bytes-value.ts'
import { DateValue } from '../../painless/date-value.ts'
import { Doc, DocValues } from '../../painless/doc-values.ts'
import {
  compileFieldScript,
  contextOf,
  type FieldContext,
  type FieldScript,
  type FieldScriptInput,
} from '../../painless/field-script.ts'
import { GeoPointValue } from '../../painless/geo-point-value.ts'
import { HostObject } from '../../painless/host-object.ts'
import { textOf } from '../../painless/java-values.ts'
import type { StoredScripts } from '../../painless/script.ts'
import { refuseSelfReferences } from '../../painless/self-references.ts'
import { withoutTypes } from '../../painless/settled-values.ts'
import { bare, numberOf, numberTypeOf } from '../../painless/typed-number.ts'
import { illegalArgument } from '../../refusals/refuse.ts'

/** A document as scripts see it. */
export interface ScriptedDocument {
  /** The parsed source, without the fields that are hidden from the caller. */
  readonly source: unknown
  /** `_id`, `_index`, …: what `doc` has beside the mapped fields. */
  readonly metadata: Readonly<Record<string, Value>>
  /** The fields of which a value was left out (`_ignored`), where hits are shown. */
  readonly ignored?: readonly string[]
  readonly score?: number
}

/** Reads fields and runs scripts over single documents of one index; scripts are compiled once. */
export interface DocumentReader {
  /** The field of the index by its path; undefined when it is unmapped or hidden. */
  field(path: string): ResolvedField | undefined
  /** The values of a field: computed ones by their script, all others from the source as its mapping reads it. */
  values(field: ResolvedField, document: ScriptedDocument): readonly Value[]
  /** Throws `script_exception` when the script cannot be compiled for its use. */
  check(script: unknown, context?: FieldContext): void
  /** The document as scripts see it. */
  input(document: ScriptedDocument): FieldScriptInput
  /** What a script over the document returns; its numbers have Java's types. */
  run(script: unknown, document: ScriptedDocument, context?: FieldContext): unknown
}

/** Makes a reader. `field` finds a field of the index by path; undefined when it is unmapped or hidden. */
export function createDocumentReader(
  field: (path: string) => ResolvedField | undefined,
  stored: StoredScripts,
): DocumentReader {
  const compiled = {
    score: new Map<unknown, FieldScript>(),
    composite: new Map<unknown, FieldScript>(),
    other: new Map<unknown, FieldScript>(),
  }
  const scriptOf = (script: unknown, context: FieldContext = 'other') => {
    const known = compiled[context].get(script) ?? compileFieldScript(script, stored, context)
    compiled[context].set(script, known)
    return known
  }
  // All fields of a composite come of one run.
  let composite: { document: ScriptedDocument; script: unknown; ran: ReturnType<FieldScript> } | undefined
  const ranOver = (computed: ComputedField, input: FieldScriptInput, document: ScriptedDocument) => {
    const { script } = computed
    if (composite?.document === document && composite.script === script) return composite.ran
    const ran = scriptOf(script, contextOf(computed))({ ...input, bearsFaults: computed.bearsFaults === true })
    if (computed.gives === 'named') composite = { document, script, ran }
    return ran
  }
  const docOf = (document: ScriptedDocument, above: readonly string[]) =>
    new Doc((path) => {
      const own = ownValue(document, path)
      if (own) return own
      const found = field(path)
      if (!found) return undefined
      const refusal =
        found.wireType === 'binary' ? undefined : valuesRefusal(found, String(document.metadata['_index']))
      if (refusal !== undefined) throw illegalArgument(refusal)
      if (found.wireType === 'binary')
        return leavesOf(document.source, found).map((value) => new BytesValue(String(value)))
      return inOrder(read(found, document, above)).map((value) => lent(value, found))
    })
  const inputOf = (document: ScriptedDocument, above: readonly string[]): FieldScriptInput => ({
    doc: docOf(document, above),
    source: document.source,
    ...(document.score === undefined ? {} : { score: document.score }),
  })
  const read = (wanted: ResolvedField, document: ScriptedDocument, above: readonly string[]): Value[] => {
    const { computed, path } = wanted
    if (computed?.evaluate !== undefined) {
      const value = computed.evaluate(document.source)
      return value === 0 ? [] : [value]
    }
    if (computed?.script === undefined) return ofSource(wanted, document.source, document)
    if (above.includes(path))
      throw illegalArgument(
        `Cyclic dependency detected while resolving runtime fields: ${[...above, path].join(' -> ')}`,
      )
    const input = { ...inputOf(document, [...above, path]), field: path }
    const over = computed.over === undefined ? undefined : field(computed.over)
    if (over) {
      const values = inOrder(read(over, document, [...above, path]))
      return values.flatMap((value) =>
        given(scriptOf(computed.script)({ ...input, value: typed(value, over) }), wanted, document),
      )
    }
    return computed.over === undefined ? given(ranOver(computed, input, document), wanted, document) : []
  }
  return {
    field,
    values: (wanted, document) => read(wanted, document, []),
    check: (script, context) => void scriptOf(script, context),
    input: (document) => inputOf(document, []),
    run: (script, document, context) => scriptOf(script, context)(inputOf(document, [])).returned,
  }
}

/** What a document has beside its fields under that name; undefined when that is a field's, `toString` and `constructor` among them. */
export function ownValue({ metadata, ignored }: ScriptedDocument, path: string): readonly Value[] | undefined {
  if (path === '_ignored') return ignored
  const value = Object.hasOwn(metadata, path) ? metadata[path] : undefined
  return value === undefined ? undefined : [value]
}

/** What a script computes of a field, texts as they are written and not as words. */
export function writtenValues(
  reader: DocumentReader,
  { words: _, ...field }: ResolvedField,
  document: ScriptedDocument,
): readonly Value[] {
  return reader.values(field, document)
}

/** The single values a source has for a field, as they are written, with those that are copied to it and with what stands for null. */
export function leavesOf(source: unknown, { wireType, sourcePath, copiedFrom, parameters }: ResolvedField): unknown[] {
  const { members } = fieldTypeOf(wireType)
  const forNull = parameters['null_value'] ?? undefined
  const leavesAt = (path: string) =>
    members ? wholesAt(source, path).flatMap(members) : leavesWithNulls(source, path, forNull)
  return copiedFrom ? [sourcePath, ...copiedFrom].flatMap(leavesAt) : leavesAt(sourcePath)
}

/** The values a document's source has for a field; what the mapping would not take counts as none. */
function ofSource(field: ResolvedField, source: unknown, document?: ScriptedDocument): Value[] {
  if (!findFieldType(field.wireType)) return []
  const own = document && { id: String(document.metadata['_id']) }
  return leavesOf(source, field).flatMap((leaf) => parsedLeaf(leaf, field, own))
}

/** The value a leaf is to a field; none when the mapping would not take it. */
function parsedLeaf(leaf: unknown, field: ResolvedField, own?: OwnDocument): Value[] {
  try {
    const parsed = fieldTypeOf(field.wireType).parse(leaf, field, own)
    return 'value' in parsed ? [parsed.value] : []
  } catch (thrown) {
    if (isAppError(thrown)) return []
    throw thrown
  }
}

/** The values that a run of a field's script gave. Throws `illegal_argument_exception` for what is too large, or stands too deep, to be written. */
function given(ran: ReturnType<FieldScript>, field: ResolvedField, document: ScriptedDocument): Value[] {
  try {
    return valuesOf(ran, field, document)
  } catch (thrown) {
    // The script has ended by now, so that its own guard sees none of it. The end of the stack is one too: what a script gave may hold itself.
    if (!(thrown instanceof RangeError)) throw thrown
    if (field.computed?.bearsFaults === true) return []
    throw illegalArgument(`a script gave a value that [${field.path}] cannot hold: ${thrown.message}`)
  }
}

function valuesOf(
  { returned, emitted }: ReturnType<FieldScript>,
  field: ResolvedField,
  document: ScriptedDocument,
): Value[] {
  switch (field.computed?.gives) {
    case 'emitted':
      return emitted.flatMap((value) => emittedValues(value, field))
    case 'named':
      return namedValues(emitted, field)
    case 'score':
      return [scored(returned, document)]
    case 'factor':
      return [factorOf(returned)]
    case 'values':
      refuseSelfReferences(returned, 'ScriptBytesValues value')
      return membersOf(returned).flatMap((value) => fitted(value, field))
    default:
      return fitted(returned, field)
  }
}

/** What a script of scores gave. Paths through it without a `return` give nought, as of any double. */
function doubleOf(returned: unknown): number {
  return returned === null ? 0 : Number(bare(returned))
}

/** What a script gave to a score. What is no number makes none of the score, which is refused as such. */
function factorOf(returned: unknown): number {
  const factor = doubleOf(returned)
  if (!(factor < 0)) return factor
  throw illegalArgument(
    `script score function must not produce negative scores, but got: [${textOf(numberOf('double', factor))}]`,
  )
}

function scored(returned: unknown, { metadata }: ScriptedDocument): number {
  const score = doubleOf(returned)
  if (score >= 0) return score
  throw illegalArgument(
    `script_score script returned an invalid score [${textOf(numberOf('float', score))}] for doc [${metadata['_seq_no']}]. Must be a non-negative score!`,
  )
}

/** What was emitted under a field's name. What is none of its type counts as none, as in a document that is read for it. */
function namedValues(emitted: readonly unknown[], field: ResolvedField): Value[] {
  const name = field.computed?.property
  const values = emitted.flatMap((pair) => (Array.isArray(pair) && textOf(pair[0]) === name ? [pair[1]] : []))
  return values.flatMap((value) => {
    if (value === null) return []
    if (field.wireType === 'keyword') return [textOf(value)]
    // As a document has it: a moment is a text.
    const isText = value instanceof HostObject && !(value instanceof GeoPointValue) && numberTypeOf(value) === undefined
    return parsedLeaf(isText ? textOf(value) : withoutTypes(value), field)
  })
}

/** What one `emit` gave. Of a property: the values that stand at its path of the emitted JSON, as a document's. */
function emittedValues(value: unknown, field: ResolvedField): Value[] {
  const property = field.computed?.property
  if (property === undefined) return fitted(value, field)
  try {
    return ofSource({ ...field, sourcePath: property }, parseSource(Buffer.from(firstObject(String(value)))))
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    if (field.parameters['ignore_malformed'] === true) return []
    throw illegalArgument(`a script gave [${textOf(value)}] where [${field.path}] is read from a JSON object`)
  }
}

function membersOf(returned: unknown): readonly unknown[] {
  if (returned instanceof DocValues) return returned.items()
  return Array.isArray(returned) ? returned : [returned]
}

/** What a script gave, as a value of its field's type. Throws for what can be none. */
function fitted(given: unknown, field: ResolvedField): Value[] {
  if (given === null || given === undefined) {
    if (field.computed?.gives === 'returned' && field.valueType === 'boolean') return [false]
    return []
  }
  const value = given instanceof DateValue ? given.ms : bare(given)
  switch (field.valueType) {
    case 'boolean':
      if (typeof value === 'boolean') return [value]
      break
    case 'long':
    case 'date':
      if (typeof value === 'bigint') return [value]
      if (typeof value === 'number') return [Math.trunc(value)]
      break
    case 'double':
      if (typeof value === 'number' || typeof value === 'bigint') return [Number(value)]
      break
    case 'ip': {
      const parsed = fieldTypeOf('ip').parse(String(value), { ...field, parameters: {} })
      return 'value' in parsed ? [parsed.value] : []
    }
    default:
      if (field.wireType === 'geo_point') return pointOf(value, field)
      return [field.valueType === 'text' ? columnTextOf(textOf(given), field) : textOf(given)]
  }
  throw illegalArgument(`a script gave [${textOf(value)}] where the field [${field.path}] holds a ${field.wireType}`)
}

/** A point given as its latitude and longitude. */
function pointOf(value: unknown, field: ResolvedField): Value[] {
  if (!Array.isArray(value)) throw illegalArgument(`a point of [${field.path}] is given as emit(latitude, longitude)`)
  const [lat, lon] = value.map(Number)
  const parsed = fieldTypeOf('geo_point').parse({ lat, lon }, { ...field, parameters: {} })
  return 'value' in parsed ? [parsed.value] : []
}

/** The order of doc values: ascending, texts once each. */
function inOrder(values: readonly Value[]): readonly Value[] {
  if (values.length < 2) return values
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return typeof sorted[0] === 'string' ? [...new Set(sorted)] : sorted
}

/** A number of a field as Java holds it: whole numbers of all types are longs, all others doubles. */
function typed(value: Value, { valueType }: ResolvedField): unknown {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value
  return numberOf(valueType === 'double' ? 'double' : 'long', value)
}

/** A value as a script holds it. */
function lent(value: Value, field: ResolvedField): unknown {
  if (field.wireType === 'geo_point') return new GeoPointValue(String(value))
  if (field.valueType === 'date') return new DateValue(Number(value))
  if (field.valueType !== 'date_nanos') return typed(value, field)
  const nanos = BigInt(value)
  const withinMs = ((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n
  return new DateValue(Number((nanos - withinMs) / 1_000_000n), Number(withinMs))
}
