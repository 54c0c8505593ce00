import type { ValueType } from '@logstack/rules'
import { storedScripts } from '../../ingest/pipelines.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { FieldMapping, Mapping, ResolvedField } from '../../model/mapping.ts'
import { readScript } from '../../painless/script.ts'
import { overValue, type ScriptField } from '../../sql/scripts/fields.ts'
import { type GivenColumns, translateScript } from '../../sql/scripts/translate-script.ts'
import { both, either, no, Untranslatable, yes } from '../../sql/scripts/typed-sql.ts'
import { join, num, type Sql, sql } from '../../sql/sql.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf } from '../leaves/leaves.ts'

/** Types of mapped fields whose columns hold what scripts read out of sources. */
const readTypes: ReadonlySet<string> = new Set([
  'boolean',
  'byte',
  'date',
  'date_nanos',
  'double',
  'float',
  'half_float',
  'integer',
  'keyword',
  'long',
  'scaled_float',
  'short',
  'unsigned_long',
])
/** Types of fields that scripts give as they are. */
const givenTypes: ReadonlySet<string> = new Set(['boolean', 'date', 'double', 'keyword', 'long'])

/** Indices of a leaf whose fields are the same. */
interface AlikeIndices {
  readonly first: IndexMeta
  readonly ids: number[]
}

/** Makes columns of the scripts of computed fields over the rows of a leaf. */
export class ScriptColumns {
  readonly #services: PlanServices
  readonly #leaf: Leaf
  readonly #score: Sql | undefined
  readonly #alike: readonly AlikeIndices[]
  readonly #made = new Map<string, GivenColumns | undefined>()

  /** `score`: what `_score` is, of 32 bits, where scripts ask for it. */
  constructor(services: PlanServices, leaf: Leaf, score: Sql | undefined) {
    this.#services = services
    this.#leaf = leaf
    this.#score = score
    this.#alike = alikeIndices(services, leaf)
  }

  /** The columns of what a field's script gives; undefined where the script has to run over each document. */
  of(field: ResolvedField): GivenColumns | undefined {
    return this.#of(field, [])
  }

  #of(field: ResolvedField, above: readonly string[]): GivenColumns | undefined {
    // A circle is an error of each document that is read.
    if (above.includes(field.path)) return undefined
    if (this.#made.has(field.path)) return this.#made.get(field.path)
    const made = exactly(() => this.#translated(field, [...above, field.path]))
    this.#made.set(field.path, made)
    return made
  }

  #translated({ computed, valueType, wireType }: ResolvedField, above: readonly string[]): GivenColumns | undefined {
    if (computed?.script === undefined || computed.property !== undefined) return undefined
    if (valueType === undefined || !givenTypes.has(wireType)) return undefined
    const { source, params } = readScript(computed.script, storedScripts(this.#services.catalogue))
    const over = computed.over === undefined ? undefined : this.#over(computed.over, above)
    const score = this.#score && sql`toFloat64(toString(${this.#score}))`
    const columns = translateScript(
      source,
      { field: (path) => this.#field(path, above), params, score, over: over?.value },
      { type: valueType, gives: computed.gives, bearsFaults: computed.bearsFaults === true },
    )
    return columns && over ? overEach(columns, over, valueType) : columns
  }

  #over(path: string, above: readonly string[]): ReturnType<typeof overValue> {
    const field = this.#field(path, above)
    if (!field || field.fault !== no || field.inexact !== no) throw new Untranslatable('a field that may fail')
    return overValue(field)
  }

  /** A field as scripts may read it; throws `Untranslatable` where columns do not tell. */
  #field(path: string, above: readonly string[]): ScriptField | undefined {
    // What `doc` has beside fields.
    if (path.startsWith('_')) throw new Untranslatable('metadata')
    const found = this.#alike.map(({ first, ids }) => ({ field: this.#leaf.readerOf(first).field(path), first, ids }))
    const mapping = found.flatMap(({ field, ...rest }) => (field ? [{ field, ...rest }] : []))
    const [one] = mapping
    if (!one) return undefined
    const { field } = one
    if (!mapping.every((other) => isSameField(other.field, field))) throw new Untranslatable('fields of several types')
    const ids = mapping.flatMap((each) => each.ids)
    const mapped = mapping.length === found.length ? yes : sql`(_index IN (${join(ids.map(num), ', ')}))`
    if (field.computed) {
      const columns = field.valueType && field.computed.gives === 'emitted' ? this.#of(field, above) : undefined
      if (!columns || field.valueType === undefined) throw new Untranslatable('a field that must be computed')
      const { fault, inexact } = columns
      return { type: field.valueType, mapped, columns, fault: both(mapped, fault), inexact: both(mapped, inexact) }
    }
    if (field.keyed || field.valueType === undefined || !readTypes.has(field.wireType))
      throw new Untranslatable('a field whose columns do not tell')
    // Such values stand in columns alone.
    if (mapping.some(({ first, field: own }) => standsForNull(own) || isCopiedTo(first.mapping, own)))
      throw new Untranslatable('values that no source has')
    const columns = columnLookup(this.#services, this.#leaf)({ path: field.path, type: field.valueType })
    return { type: field.valueType, mapped, columns, fault: no, inexact: no }
  }
}

/** What is made, unless SQL cannot say it exactly. */
function exactly<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (thrown) {
    if (thrown instanceof Untranslatable) return undefined
    throw thrown
  }
}

/** Values of several are left to the interpreter, rows without one have none. */
function overEach(
  { one, many, fault, inexact }: GivenColumns,
  over: ReturnType<typeof overValue>,
  type: ValueType,
): GivenColumns {
  const none = type === 'string' ? sql`CAST(NULL, 'Nullable(String)')` : sql`NULL`
  return {
    one: sql`if(${over.has}, ${one}, ${none})`,
    many: many && sql`if(${over.has}, ${many}, [])`,
    fault: both(over.has, fault),
    inexact: either(over.inexact, both(over.has, inexact)),
  }
}

function isSameField(one: ResolvedField, other: ResolvedField): boolean {
  if (one === other) return true
  return one.path === other.path && one.valueType === other.valueType && !one.computed && !other.computed
}

/** The indices of a leaf by what fields they have: of daily ones that is one object. */
function alikeIndices({ catalogue }: PlanServices, { indices }: Leaf): readonly AlikeIndices[] {
  const found = new Map<unknown, AlikeIndices>()
  for (const index of indices) {
    const fields = catalogue.fields(index)
    const known = found.get(fields)
    if (known) known.ids.push(index.id)
    else found.set(fields, { first: index, ids: [index.id] })
  }
  return [...found.values()]
}

function standsForNull({ parameters }: ResolvedField): boolean {
  return parameters['null_value'] !== undefined && parameters['null_value'] !== null
}

const copied = new WeakMap<Mapping, ReadonlySet<string>>()

/** Whether documents have values of a field that stand under other names in their sources. */
function isCopiedTo(mapping: Mapping, { sourcePath }: ResolvedField): boolean {
  const known = copied.get(mapping) ?? copyTargets(mapping)
  copied.set(mapping, known)
  return known.has(sourcePath)
}

function copyTargets({ properties = {} }: Mapping): ReadonlySet<string> {
  const found = new Set<string>()
  const walk = (definitions: Readonly<Record<string, FieldMapping>>) => {
    for (const { copy_to: targets, properties: inner } of Object.values(definitions)) {
      if (Array.isArray(targets)) for (const target of targets) found.add(String(target))
      if (inner) walk(inner)
    }
  }
  walk(properties)
  return found
}
