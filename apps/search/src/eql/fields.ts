import type { Field } from '@logstack/eql'
import { keyedField } from '../indices/keyed-fields.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { Mapping, ResolvedField } from '../model/mapping.ts'
import type { Scope } from '../model/scope.ts'
import { didYouMean } from '../refusals/did-you-mean.ts'
import type { Problems } from './problems.ts'

/** What the values of a field can be compared with. */
export type ValueClass = 'string' | 'number' | 'boolean' | 'date' | 'ip'

/** A field as conditions use it. */
export interface KnownField {
  readonly kind: 'known'
  /** Where its values are kept as they are: of a text its keyword. */
  readonly path: string
  /** The name it was asked for by, for whether there is a value at all. */
  readonly name: string
  readonly valueClass: ValueClass
  /** Its type; of numbers of several types, and of texts asked by their keyword, one that all its values fit. */
  readonly type: string
}

/** What a name stands for; `null`: an optional field that no index has, `refused`: a problem was noted. */
export type FoundField = KnownField | { readonly kind: 'null' } | Refused

interface Refused {
  readonly kind: 'refused'
  readonly message: string
}

const classes: Readonly<Record<string, ValueClass>> = {
  keyword: 'string',
  constant_keyword: 'string',
  wildcard: 'string',
  version: 'string',
  flattened: 'string',
  flat_object: 'string',
  long: 'number',
  integer: 'number',
  short: 'number',
  byte: 'number',
  unsigned_long: 'number',
  double: 'number',
  float: 'number',
  half_float: 'number',
  scaled_float: 'number',
  token_count: 'number',
  boolean: 'boolean',
  date: 'date',
  date_nanos: 'date',
  ip: 'ip',
}
const wholes = new Set(['long', 'integer', 'short', 'byte', 'token_count'])
const keywordFamily = new Set(['keyword', 'constant_keyword', 'wildcard'])
const texts = new Set(['text', 'match_only_text', 'search_as_you_type'])
/** Unknown names for which the like of them are looked up: each is compared with every field there is. */
const comparedNamesMax = 5
const comparedCharsMax = 256
const suggestedMax = 5

/** An index of the request as conditions see it. */
export interface FieldsOfIndex {
  readonly index: Pick<IndexMeta, 'name' | 'mapping'>
  readonly fields: ReadonlyMap<string, ResolvedField>
}

interface Paths {
  readonly names: readonly string[]
  readonly objects: ReadonlySet<string>
}

/** The fields that a caller can name in a query over some indices. */
export class EqlFields {
  readonly #indices: readonly FieldsOfIndex[]
  readonly #scope: Scope
  readonly #runtime: ReadonlyMap<string, ResolvedField>
  readonly #problems: Problems
  readonly #found = new Map<string, FoundField>()
  #compared = 0
  #allPaths: Paths | undefined

  constructor(
    indices: readonly FieldsOfIndex[],
    { scope, runtime, problems }: { scope: Scope; runtime: ReadonlyMap<string, ResolvedField>; problems: Problems },
  ) {
    this.#indices = indices
    this.#scope = scope
    this.#runtime = runtime
    this.#problems = problems
  }

  /** The field with exact values of that name; what cannot be used is noted as a problem at its place. */
  exact({ name, optional, at }: Pick<Field, 'name' | 'optional'> & { readonly at: number | undefined }): FoundField {
    const key = `${optional} ${name}`
    const known = this.#found.get(key)
    if (known?.kind === 'refused') this.#problems.add(at, known.message)
    if (known) return known
    const found = this.#find(name, optional, at)
    this.#found.set(key, found)
    return found
  }

  /** Whether there is a field of that name, be it a text; what is unknown is noted as a problem. */
  present(field: Pick<Field, 'name' | 'optional' | 'at'>): 'known' | 'null' | 'refused' {
    if (this.#each(field.name).length > 0) return 'known'
    if (field.optional && !this.#isObject(field.name)) return 'null'
    return this.#unknown(field.name, field.at).kind
  }

  #find(name: string, optional: boolean, at: number | undefined): FoundField {
    const found = this.#each(name)
    if (found.length === 0) return optional && !this.#isObject(name) ? { kind: 'null' } : this.#unknown(name, at)
    const types = new Map<string, string>()
    for (const { field, index } of found) types.set(kindOf(field), index)
    if (types.size > 1) return this.#refused(at, ambiguous(name, types))
    const parent = found.find(({ nested }) => nested !== undefined)?.nested
    if (parent !== undefined)
      return this.#refused(
        at,
        `Cannot use field [${name}] under nested field [${parent}]; nested fields are not supported`,
      )
    const [first] = found
    const type = first?.field.wireType ?? ''
    if (texts.has(type)) return this.#exactText(name, at)
    const valueClass = classes[type]
    if (valueClass === undefined) return this.#refused(at, `Cannot use field [${name}] with unsupported type [${type}]`)
    return { kind: 'known', path: name, name, valueClass, type: typeOfAll(found.map(({ field }) => field.wireType)) }
  }

  /** A text is asked by its keyword, when it has just one. */
  #exactText(name: string, at: number | undefined): FoundField {
    const perIndex = this.#indices.flatMap(({ index, fields }) => {
      const text = this.#seen(index.name, fields, name)
      if (!text) return []
      const keywords = [...fields].filter(
        ([path, field]) =>
          path.startsWith(`${name}.`) &&
          field.sourcePath === text.sourcePath &&
          keywordFamily.has(field.wireType) &&
          field.parameters['normalizer'] === undefined &&
          this.#scope.canSeeField(index.name, field.path),
      )
      return [keywords.map(([path]) => path)]
    })
    const candidates = new Set(perIndex.flat())
    const [path] = candidates
    if (path === undefined || perIndex.some((one) => one.length === 0))
      return this.#refused(
        at,
        `Cannot use field [${name}] of type [text]: No keyword/multi-field defined exact matches for [${name}]; define one or use MATCH/QUERY instead`,
      )
    if (candidates.size > 1)
      return this.#refused(at, `Multiple exact keyword candidates available for [${name}]; specify which one to use`)
    return { kind: 'known', path, name, valueClass: 'string', type: 'keyword' }
  }

  #each(
    name: string,
  ): { readonly field: ResolvedField; readonly index: string; readonly nested: string | undefined }[] {
    const runtime = this.#runtime.get(name)
    if (runtime) return [{ field: runtime, index: '', nested: undefined }]
    return this.#indices.flatMap(({ index, fields }) => {
      const field = this.#seen(index.name, fields, name)
      return field ? [{ field, index: index.name, nested: nestedParent(index.mapping, field.sourcePath) }] : []
    })
  }

  #seen(index: string, fields: FieldsOfIndex['fields'], name: string): ResolvedField | undefined {
    const field = fields.get(name) ?? keyedField(fields, name)
    return field && this.#scope.canSeeField(index, field.path) ? field : undefined
  }

  #isObject(name: string): boolean {
    return this.#paths().objects.has(name)
  }

  /** The names of all fields that the caller may see, and of the objects they are in. */
  #paths(): Paths {
    if (this.#allPaths) return this.#allPaths
    const names = new Set(this.#runtime.keys())
    for (const { index, fields } of this.#indices)
      for (const [path, field] of fields) if (this.#scope.canSeeField(index.name, field.path)) names.add(path)
    const objects = new Set<string>()
    for (const name of names)
      for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) objects.add(name.slice(0, dot))
    this.#allPaths = { names: [...names], objects }
    return this.#allPaths
  }

  #unknown(name: string, at: number | undefined): Refused {
    if (this.#isObject(name)) return this.#refused(at, `Cannot use field [${name}] type [object] only its subfields`)
    return this.#refused(at, `Unknown column [${shortened(name)}]${this.#meant(name)}`)
  }

  #meant(name: string): string {
    this.#compared += 1
    if (this.#compared > comparedNamesMax || name.length > comparedCharsMax) return ''
    const meant = didYouMean(name, this.#paths().names, { suggestedMax })
    return meant === '' ? '' : `,${meant}`
  }

  #refused(at: number | undefined, message: string): Refused {
    this.#problems.add(at, message)
    return { kind: 'refused', message }
  }
}

function shortened(name: string): string {
  return name.length > comparedCharsMax ? `${name.slice(0, comparedCharsMax)}…` : name
}

/** Types that a query may take for one another. */
function kindOf({ wireType }: ResolvedField): string {
  if (keywordFamily.has(wireType)) return 'keyword'
  if (texts.has(wireType)) return 'text'
  const valueClass = classes[wireType]
  return valueClass === 'number' ? valueClass : wireType
}

/** Whether all numbers of a type are integers that fit a long. */
export function isWholeType(type: string): boolean {
  return wholes.has(type)
}

/** A type for the values of several: numbers of whatever type go together. */
function typeOfAll(types: readonly string[]): string {
  const [first = ''] = types
  if (types.every((type) => type === first)) return first
  if (types.includes('unsigned_long')) return 'unsigned_long'
  return classes[first] !== 'number' ? first : types.every((type) => wholes.has(type)) ? 'long' : 'double'
}

function ambiguous(name: string, types: ReadonlyMap<string, string>): string {
  const listed = [...types].map(([type, index]) => `[${type}] in [${index}]`).join(', ')
  return `Cannot use field [${name}] due to ambiguities being mapped as [${types.size}] incompatible types: ${listed}`
}

/** The nested object that a field is in; undefined when it is in none. */
function nestedParent(mapping: Mapping, sourcePath: string): string | undefined {
  let properties = mapping.properties
  let at = ''
  let rest = sourcePath
  while (properties && rest !== '') {
    const within: string = rest
    const name: string | undefined = Object.keys(properties)
      .filter((each) => within === each || within.startsWith(`${each}.`))
      .sort((a, b) => b.length - a.length)[0]
    if (name === undefined) return undefined
    at = at === '' ? name : `${at}.${name}`
    const node: NonNullable<Mapping['properties']>[string] | undefined = properties[name]
    if (node?.type === 'nested') return at
    properties = node?.properties
    rest = rest.slice(name.length + 1)
  }
  return undefined
}
