import type { ValueType } from '@logstack/rules'
import type { FieldWords } from '../tokens/column-words.ts'

/** A field of a mapping as the user wrote it: type and parameters, multi-fields under `fields`. Objects have `properties` instead of a type. */
export interface FieldMapping {
  readonly type?: string
  readonly properties?: Readonly<Record<string, FieldMapping>>
  readonly fields?: Readonly<Record<string, FieldMapping>>
  readonly dynamic?: Dynamic
  readonly enabled?: boolean
  readonly [parameter: string]: unknown
}

/** The last two are OpenSearch's: fields that a dynamic template names are added, all others ignored or refused. */
export type Dynamic = 'true' | 'false' | 'strict' | 'runtime' | 'false_allow_templates' | 'strict_allow_templates'

/** The mapping of an index, kept as Elasticsearch would return it. */
export interface Mapping {
  readonly dynamic?: Dynamic
  readonly date_detection?: boolean
  readonly numeric_detection?: boolean
  readonly dynamic_date_formats?: readonly string[]
  readonly dynamic_templates?: readonly Readonly<Record<string, unknown>>[]
  readonly properties?: Readonly<Record<string, FieldMapping>>
  /** Runtime fields by path, as written. */
  readonly runtime?: Readonly<Record<string, unknown>> | undefined
  /** Derived fields by path, as written. */
  readonly derived?: Readonly<Record<string, unknown>> | undefined
  readonly _meta?: unknown
  readonly [parameter: string]: unknown
}

/** Where the values of a computed field come from: what a script emits or returns (`values`: each value of a list; `score`: a number that documents can be ranked by), or without one the source under the field's own path. `named`: of what a script emits by names, the values named `property`. */
export interface ComputedField {
  readonly script: unknown
  readonly gives: 'emitted' | 'named' | 'returned' | 'values' | 'score' | 'factor'
  /** The field for each of whose values the script runs, as `_value`. */
  readonly over?: string
  /** Emitted texts are JSON objects, and the values stand at this path of them; of `named` the name. */
  readonly property?: string
  /** What the script emitted before it failed is what it gives, and its fault none. */
  readonly bearsFaults?: true
  /** Without a script: how much of what is asked for a document's source has; nought is no value. */
  readonly evaluate?: (source: unknown) => number
}

/** One leaf of a mapping, resolved: full path (multi-fields too: `message.keyword`), wire type, how it is stored. */
export interface ResolvedField {
  readonly path: string
  /** The wire type: `keyword`, `integer`, … */
  readonly wireType: string
  /** How values are stored and compared; undefined for types that are accepted and not searchable. */
  readonly valueType: ValueType | undefined
  readonly parameters: Readonly<Record<string, unknown>>
  /** For a multi-field the path whose values it takes, else the path itself. */
  readonly sourcePath: string
  /** The paths whose values are copied to it (`copy_to`), where there are any. */
  readonly copiedFrom?: readonly string[]
  /** Set for fields whose values a script, or the source alone, gives when a request asks for them: no document keeps them in a column. */
  readonly computed?: ComputedField
  /** Of what stands for one key of a `flattened` field: where the entries of all its keys are, and which key. */
  readonly keyed?: { readonly column: string; readonly key: string }
  /** Of texts whose column gets its token index with its first value; other texts get one once they prove long. */
  readonly indexedAtOnce?: true
  /** Of texts whose column gets an index of pairs of words, too (`index_phrases`). */
  readonly indexesPhrases?: true
  /** Of texts that are cut otherwise than by the standard analyzer: their columns hold words (`columnText`) instead of the text. */
  readonly words?: FieldWords
  /** Of keywords with a normalizer of the index: the form their values are compared in. */
  readonly normal?: (text: string) => string
  /** Of these: equal for fields whose normalizers are the same. */
  readonly normalKey?: string
}
