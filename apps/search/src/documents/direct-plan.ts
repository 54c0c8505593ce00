import { isIPv4 } from 'node:net'
import type { Value } from '@logstack/rules'
import { defaultDateFormat } from '../dates/date-format.ts'
import type { FieldValue } from '../indices/catalogue.ts'
import type { CompiledMapping, LeafNode, MappingNode, ObjectNode } from '../indices/compiled-mapping.ts'
import { messagePath } from '../model/table.ts'
import type { LeafPlan, PartKind, PartPlan } from './document-shapes.ts'
import { DocumentShapes } from './document-shapes.ts'
import { isWellFormed } from './value-set.ts'

/** An object of the mapping; what it holds is found out as documents come. */
export interface ObjectPlan {
  readonly kind: 'object'
  readonly node: ObjectNode
  readonly keys: Map<string, KeyPlan>
  /** What came first in the last document: documents of one kind have their keys in one order. */
  first: KeyPlan | undefined
  seen: number
}

/** A key of an object, as its bytes. */
export interface KeyPlan {
  readonly bytes: Buffer
  readonly target: LeafPlan | ObjectPlan
  next: KeyPlan | undefined
}

/** A mapping made ready for reading documents straight from their bytes. */
export interface DirectPlan {
  readonly root: ObjectPlan
  /** What documents looked like so far. */
  readonly shapes: DocumentShapes
  /** Leaves that hold the same value in every document. */
  readonly constants: readonly { readonly plan: LeafPlan; readonly value: string }[]
  /** The plan of a node; undefined for what is never read directly. */
  planOf(node: MappingNode): LeafPlan | ObjectPlan | undefined
}

/** Longer terms may be too long, which only the type can say. */
const directLengthMax = 8_000

function textPart(leaf: LeafNode): { kind: PartKind; lengthMax: number } {
  const { parameters } = leaf.field
  const limit = parameters['ignore_above']
  const normalizer = parameters['normalizer']
  const asIs = normalizer === undefined || normalizer === null || normalizer === 'default'
  return {
    kind: asIs ? 'text' : 'parsed',
    lengthMax: typeof limit === 'number' ? Math.min(limit, directLengthMax) : directLengthMax,
  }
}

function kindOf(leaf: LeafNode): { kind: PartKind; lengthMax: number } {
  if (leaf.valueType !== undefined) {
    const { name } = leaf.type
    if (name === 'keyword') return textPart(leaf)
    // An analyzer of the field's own has to see the text.
    if (leaf.field.words !== undefined) return { kind: 'parsed', lengthMax: 0 }
    if (name === 'text' || name === 'match_only_text') return { kind: 'text', lengthMax: Number.MAX_SAFE_INTEGER }
    if (name === 'ip') return { kind: 'ip', lengthMax: 0 }
    if (name === 'long') return { kind: 'long', lengthMax: 0 }
    const format = leaf.field.parameters['format'] ?? defaultDateFormat
    if (name === 'date' && format === defaultDateFormat) return { kind: 'date', lengthMax: 0 }
  }
  return { kind: 'parsed', lengthMax: 0 }
}

function storedField({ field }: LeafNode): FieldValue['field'] | undefined {
  const { valueType } = field
  return valueType === undefined ? undefined : { ...field, valueType }
}

/** Of all fields `message` holds most of what a log has to say; its text is kept once (ADR 0039). */
function isMessage(part: PartPlan | undefined): boolean {
  return part?.kind === 'text' && part.field?.valueType === 'text' && part.field.path === messagePath
}

function compile(compiled: CompiledMapping): DirectPlan | undefined {
  // A constant that the document itself sets changes the mapping.
  if (!compiled.root.enabled || compiled.awaitsConstants) return undefined
  const plans = new Map<MappingNode, LeafPlan | ObjectPlan | undefined>()
  let places = 0
  const part = (leaf: LeafNode): PartPlan => {
    const place = places
    places += 2
    return { leaf, ...kindOf(leaf), field: storedField(leaf), place }
  }
  const leafPlan = (leaf: LeafNode): LeafPlan | undefined => {
    if (
      leaf.copyTo.length > 0 ||
      leaf.type.objects !== undefined ||
      leaf.type.refuseSecond ||
      leaf.type.name === 'alias'
    )
      return undefined
    const isTime = leaf.field.path === '@timestamp'
    const parts = [leaf, ...leaf.multiFields].map(part)
    return { kind: 'leaf', parts, isTime, isCut: isMessage(parts[0]), seen: 0, valued: 0 }
  }
  const make = (node: MappingNode): LeafPlan | ObjectPlan | undefined => {
    if (node.kind === 'leaf') return leafPlan(node)
    if (!node.enabled || node.nested || node.flat) return undefined
    return { kind: 'object', node, keys: new Map(), first: undefined, seen: 0 }
  }
  const planOf = (node: MappingNode): LeafPlan | ObjectPlan | undefined => {
    if (!plans.has(node)) plans.set(node, make(node))
    return plans.get(node)
  }
  const root = planOf(compiled.root)
  if (root?.kind !== 'object') return undefined
  const constants = compiled.constants.map(({ leaf, value }) => {
    // A multi-field has no place of its own in a document.
    const isField = leaf.field.path === leaf.field.sourcePath
    return { plan: isField ? planOf(leaf) : undefined, value }
  })
  const direct = constants.flatMap(({ plan, value }) => (plan?.kind === 'leaf' ? [{ plan, value }] : []))
  return direct.length < constants.length
    ? undefined
    : { root, shapes: new DocumentShapes(), constants: direct, planOf }
}

const plans = new WeakMap<CompiledMapping, DirectPlan | undefined>()

/** The plan of a mapping, made once; undefined when its documents cannot be read directly. */
export function directPlan(compiled: CompiledMapping): DirectPlan | undefined {
  if (!plans.has(compiled)) plans.set(compiled, compile(compiled))
  return plans.get(compiled)
}

/** Whether what a type made of a value is the value, and its column gives it back. */
export function isWhole({ leaf, field }: PartPlan, value: Value | null, read: Value | undefined): boolean {
  if (field === undefined || read !== value || leaf.field.words !== undefined) return false
  if (typeof value === 'string') {
    if (field.valueType === 'ip') return isIPv4(value)
    return (field.valueType === 'string' || field.valueType === 'text') && isWellFormed(value)
  }
  return field.valueType !== 'date' && field.valueType !== 'date_nanos'
}
