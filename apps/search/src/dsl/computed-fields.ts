import type { Field } from '@logstack/rules'
import { exactJson } from '../json/exact-json.ts'
import type { ResolvedField } from '../model/mapping.ts'
import { illegalArgument } from '../refusals/refuse.ts'
import type { Score } from '../scores/score.ts'
import type { AggregationScript } from './aggregation-script.ts'
import { type JoinedRows, joinedScore } from './joined-rows.ts'

/** Types of fields whose values stay what they are under a script: all others become numbers. */
const textTypes: readonly (string | undefined)[] = ['string', 'text', 'ip']

const scriptTypes = { boolean: 'boolean', double: 'double', string: 'keyword' } as const

/** What of a request must be computed before a statement can be made: fields without columns of their own that were looked up until now. */
export class ComputedFields {
  readonly #fields = new Map<string, ResolvedField>()
  readonly #joins = new Map<string, JoinedRows>()
  readonly #keyed = new Map<string, NonNullable<ResolvedField['keyed']>>()
  #score: Score | undefined
  #leastScore: number | undefined

  /** By path. */
  get fields(): ReadonlyMap<string, ResolvedField> {
    return this.#fields
  }

  /** Which of the fields that were looked up are keys of `flattened` ones, by path. */
  get keyed(): ReadonlyMap<string, NonNullable<ResolvedField['keyed']>> {
    return this.#keyed
  }

  /** The conditions by joined documents, each once. */
  get joins(): readonly JoinedRows[] {
    return [...this.#joins.values()]
  }

  joined(rows: JoinedRows): void {
    this.#joins.set(joinedScore(rows).path, rows)
  }

  /** What `_score` is for the scripts of the request, where a clause said so. */
  get score(): Score | undefined {
    return this.#score
  }

  scoredBy(score: Score): void {
    this.#score = score
  }

  /** The least score of documents that match, where the outermost clause said one. */
  get leastScore(): number | undefined {
    return this.#leastScore
  }

  scoresAtLeast(score: number, outermost: boolean): void {
    if (!outermost) throw illegalArgument('[min_score] is supported in the outermost clause of a query only')
    this.#leastScore = score
  }

  /** Notes a field if it is computed, and gives it back. */
  noted(field: ResolvedField): ResolvedField {
    if (field.computed) this.#fields.set(field.path, field)
    if (field.keyed) this.#keyed.set(field.path, field.keyed)
    return field
  }

  /** Notes the fields that match a pattern; who asks for all fields means those that documents have. */
  notedAll(pattern: string, fields: readonly ResolvedField[]): readonly ResolvedField[] {
    return pattern === '*' ? fields.filter(({ computed }) => !computed) : fields.map((field) => this.noted(field))
  }

  /** A field without a name in the mapping: a number that is found out of each document's source, none where it is 0. Requests with the same key ask the same. */
  evaluated(key: string, evaluate: (source: unknown) => number): Field {
    const path = `_evaluated ${key}`
    const computed = { script: undefined, gives: 'returned', evaluate } as const
    this.noted({ path, wireType: 'double', valueType: 'double', parameters: {}, sourcePath: path, computed })
    return { path, type: 'double' }
  }

  /** A field without a name in the mapping: what a script of the request returns for each document. */
  scripted(script: unknown, valueType: keyof typeof scriptTypes): Field {
    const path = `_script ${valueType} ${exactJson(script)}`
    const wireType = scriptTypes[valueType]
    this.noted({ path, wireType, valueType, parameters: {}, sourcePath: path, computed: { script, gives: 'returned' } })
    return { path, type: valueType }
  }

  /** A field without a name in the mapping: what a script of the request scores each document, or gives to join with its score. */
  scoring(script: unknown, gives: 'score' | 'factor' = 'score'): Field {
    const path = `_script ${gives} ${exactJson(script)}`
    const computed = { script, gives } as const
    this.noted({ path, wireType: 'double', valueType: 'double', parameters: {}, sourcePath: path, computed })
    return { path, type: 'double' }
  }

  /** The values that the script of an aggregation gives, under its path; `over` is the field for each of whose values it runs. */
  scriptedValues({ path, script, over, type, typeOfField }: AggregationScript, field: ResolvedField | undefined): void {
    const ofField = textTypes.includes(field?.valueType) ? 'keyword' : 'double'
    const wireType = typeOfField && field ? ofField : type
    const valueType = wireType === 'keyword' ? 'string' : wireType
    const computed = { script, gives: 'values', ...(over === undefined ? {} : { over }) } as const
    this.noted({ path, wireType, valueType, parameters: {}, sourcePath: path, computed })
  }
}
