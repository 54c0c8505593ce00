import type { ValueType } from '@logstack/rules'
import type { FieldWords } from '../analysis/column-words.ts'
import type { TokenCut } from '../sql/text-tokens.ts'

/** A data stream's own lifecycle, as `PUT /_data_stream/{name}/_lifecycle` and templates have it. */
export interface DataStreamLifecycle {
  readonly enabled: boolean
  /** A time value (`30d`); absent: kept for ever. */
  readonly data_retention?: string
}

export interface DataStreamMeta {
  readonly name: string
  readonly timestampField: '@timestamp'
  /** Names of the backing indices, oldest first; the last is written to. */
  readonly indices: readonly string[]
  readonly generation: number
  readonly template: string
  readonly hidden: boolean
  readonly lifecycle?: DataStreamLifecycle
}

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

/** Every setting of an index under its full flat name without the `index.` prefix, values as text as Elasticsearch shows them. */
export type IndexSettings = Readonly<Record<string, string>>

export interface AliasMeta {
  readonly filter?: unknown
  readonly is_write_index?: boolean
  readonly is_hidden?: boolean
  readonly index_routing?: string
  readonly search_routing?: string
}

/** One index in the catalogue. Backing indices of data streams are indices too. */
export interface IndexMeta {
  /** Numeric id, never reused: the `_index` column. */
  readonly id: number
  readonly name: string
  readonly uuid: string
  /** The physical table that holds the rows of all indices of this family. */
  readonly table: number
  /** The partition of the table that new rows go to. */
  readonly slot: number
  readonly state: 'open' | 'close'
  readonly createdAtMs: number
  readonly settings: IndexSettings
  readonly mapping: Mapping
  /** Rises with every mapping change. */
  readonly mappingVersion: number
  readonly aliases: Readonly<Record<string, AliasMeta>>
  readonly hidden: boolean
  /** The data stream this index backs. */
  readonly dataStream?: string
}

/** A physical column of a table: one (path, value type), made at the first value. `many` columns hold arrays of two or more values. */
export interface Column {
  readonly id: number
  readonly path: string
  readonly type: ValueType
  /** `c12_host_name`: holds the value of documents that have exactly one. */
  readonly name: string
  /** `m12_host_name`, an array, once a document had several values: those documents have null in `name` and all values here. */
  readonly manyName: string | undefined
  /** Whether a text has a token index, or a keyword or an address one for needles. Answers are the same without one. */
  readonly indexed?: boolean
  /** Of what has a token index: by which expression it was declared; absent of those that were made before there was another than the pattern. */
  readonly cut?: TokenCut
  /** Of what has a token index: whether it has one of pairs of words, too. */
  readonly pairs?: true
}

/** A column that documents need in a table. */
export interface NeededColumn {
  readonly path: string
  readonly type: ValueType
  readonly many: boolean
  /** Of a text: whether it needs a token index; of a keyword or an address: one for needles. */
  readonly indexed?: boolean
  /** Whether its mapping alone asks for that index, and no values have shown what it is worth: a table has only so many of these. */
  readonly isUnproven?: true
  /** Of a text that needs a token index: whether it needs one of pairs of words, too. */
  readonly pairs?: true
}

/** A physical table: the rows of one family of indices (`winlogbeat-2026.11.21` and its sisters; a data stream's backing indices). */
export interface TableMeta {
  readonly id: number
  readonly family: string
  /** `events_7`, inside the engine's database. */
  readonly name: string
  readonly columns: readonly Column[]
}

/** The text field whose values may be cut out of sources (`_message_at`). */
export const messagePath = 'message'

/** System columns every table has, before the fields' own. */
export const systemColumns = {
  /** Order of commit over all tables; visibility and tail reading go by it. */
  _seq: 'UInt64',
  /** Catalogue id of the index. */
  _index: 'UInt32',
  _slot: 'UInt16',
  /** `@timestamp` in epoch milliseconds, or the time of arrival where a document has none. The sort key. */
  _time: 'Int64',
  /** Per index, without holes, from 0: Elasticsearch's `_seq_no`. */
  _seq_no: 'UInt64',
  _version: 'UInt64',
  _id: 'String',
  /** Empty when the document has none. */
  _routing: 'String',
  /** Field paths whose values were ignored (`ignore_malformed`, `ignore_above`). */
  _ignored: 'Array(LowCardinality(String))',
  _source: 'String',
  /** In bytes: where in `_source` the text of the row's `message` belongs, which is kept in its own column only; 0 where `_source` is whole. */
  _message_at: 'UInt32',
} as const
