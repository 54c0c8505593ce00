import type { Value, ValueType } from '@logstack/rules'
import type { z } from 'zod'
import type { ResolvedField } from '../../model/mapping.ts'

/** What became of one JSON leaf: a value, or a reason why it was left out without an error (`ignore_above`, `ignore_malformed`, null). */
export type ParsedLeaf =
  | { readonly value: Value }
  | { readonly ignored: 'ignore_above' | 'ignore_malformed' }
  | { readonly absent: true }

/** The document that a value stands in, as far as a value may hang on it. */
export interface OwnDocument {
  readonly id?: string | undefined
  /** Empty where a document was written without one; undefined of one that was written before. */
  readonly routing?: string | undefined
}

/** A field type of the mapping: how its parameters are written, its values read from documents, from queries, and shown. */
export interface FieldType {
  /** The wire name: `keyword`. */
  readonly name: string
  /** What `_field_caps` calls it: `keyword` for `constant_keyword` and `wildcard` too. */
  readonly family: string
  /** Undefined for types that are accepted and stored, but not searchable. */
  readonly valueType: ValueType | undefined
  readonly aggregatable: boolean
  /** Its column says no more than that there is a value: `exists` finds it, no other query does. */
  readonly presenceOnly?: true
  /** What is said to who looks for values, for documents with one, or sorts by them, where the type has no such thing. */
  readonly refusals?: { readonly query: string; readonly exists?: string; readonly values: string }
  /** A document that does not fit is told so without the name of the field. */
  readonly namelessFailures?: true
  /**
   * What objects are to this type: a value given to `parse` `whole`, arrays too (`geo_point`), or a tree whose `leaves` are all values of the
   * field (`flattened`). Absent: an error.
   */
  readonly objects?: 'whole' | 'leaves'
  /** Of types that take values `whole`: the single values of one, each for `parse`. */
  readonly members?: (whole: unknown) => readonly unknown[]
  /** `fields` shows objects of it as they were written. */
  readonly shownWhole?: true
  /** Whether it says what the document is: nothing stands above or below it. */
  readonly ofDocument?: true
  /** Whether no mapping names it: it stands below others. */
  readonly isInner?: true
  /** Mapping parameters it takes; a strict object, unknown ones are `mapper_parsing_exception`. */
  readonly parameters: z.ZodType
  /** What is wrong where parameters that are right by themselves exclude each other: the reason of an `illegal_argument_exception`. */
  contradiction?(parameters: Readonly<Record<string, unknown>>, name: string): string | undefined
  /** Reads one leaf (never an array) of a document. Throws the cause of a `document_parsing_exception` (`illegal_argument_exception`, …). */
  parse(leaf: unknown, field: ResolvedField, document?: OwnDocument): ParsedLeaf
  /** Throws the cause where a document that holds values before it may not hold another as well. */
  readonly refuseSecond?: (value: Value, before: readonly Value[], field: ResolvedField) => void
  /** Reads a value given in a query (`term`, `range`, `terms` include lists). Throws `illegal_argument_exception` or `query_shard_exception`. */
  queryValue(given: unknown, field: ResolvedField): Value
  /** How `fields` shows a leaf of a source where that is not what its value shows. */
  readonly showLeaf?: ((leaf: unknown, format: string | undefined, field: ResolvedField) => unknown) | undefined
  /** Whether `fields` shows nothing of it. */
  readonly isUnshown?: true
  /** A stored value as Elasticsearch shows it in `fields`, `docvalue_fields` and `key_as_string`; `format` is the request's or mapping's. */
  show(value: Value, field: ResolvedField, format?: string): string | number | bigint | boolean
}

/** Declares a field type; `field-types/index.ts` lists it. */
export function defineFieldType(type: FieldType): FieldType {
  return type
}
