import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { Value } from '@logstack/rules'
import type { Dynamic, Mapping } from '../model/mapping.ts'
import type { DocumentOrigin } from './catalogue.ts'
import type { CompiledMapping, LeafNode, MappingNode, ObjectNode } from './compiled-mapping.ts'
import { nameFault, newObject, noteParents, roomFault } from './document-names.ts'
import { type Addition, dynamicField, isLeafDefinition } from './dynamic-mapping.ts'
import { noObject } from './field-types/flattened.ts'
import { keyedEntry } from './keyed-fields.ts'
import { leafFailureReason, metadataFault, placedCause } from './leaf-failure.ts'
import { type MappingLimits, tooDeep } from './mapping-merge.ts'
import { reservedNames } from './reserved-names.ts'
import { isWrittenAsDecimal, locateValue, type SourcePath } from './source-location.ts'
import { holdsNoObjects } from './subobjects.ts'

/** A parsed document. */
export type Source = Readonly<Record<string, unknown>>

const nestingDepthMax = 1000

/** Reads one document: what it found so far, and where it stands. One instance a pass, never shared. */
export class DocumentReader {
  readonly found = new Map<LeafNode, Value[]>()
  readonly ignored = new Set<string>()
  readonly additions: Addition[] = []
  private readonly added = new Map<string, Addition['definition']>()
  private readonly steps: (string | number)[] = []
  private nestedObjects = 0
  private nestedDepth = 0
  private readonly mapping: Mapping
  private readonly compiled: CompiledMapping
  private readonly origin: DocumentOrigin
  private readonly mayAdd: boolean
  private readonly limits: MappingLimits

  /** `mayAdd`: whether new fields are added to the mapping, or ignored because it is full. */
  constructor(
    mapping: Mapping,
    compiled: CompiledMapping,
    origin: DocumentOrigin,
    mayAdd: boolean,
    limits: MappingLimits,
  ) {
    this.mapping = mapping
    this.compiled = compiled
    this.origin = origin
    this.mayAdd = mayAdd
    this.limits = limits
  }

  read(source: Source): void {
    for (const [name, value] of Object.entries(source))
      if (name.charCodeAt(0) === 0x5f && reservedNames.has(name)) {
        const told = metadataFault(name, value, this.origin.id)
        throw this.failure([name], told.reason, this.failure([name], told.cause))
      }
    if (this.compiled.root.enabled) this.readObject(source, this.compiled.root)
    for (const { leaf, value } of this.compiled.constants) if (!this.found.has(leaf)) this.found.set(leaf, [value])
  }

  private readObject(object: Source, node: ObjectNode): void {
    if (node.flat) this.readFlat(object, node, '')
    else this.readNamed(object, node)
  }

  private readNamed(object: Source, node: ObjectNode): void {
    const at = this.enter()
    for (const key in object) {
      if (!Object.hasOwn(object, key)) continue
      const value = object[key]
      this.steps[at] = key
      const child = node.children.get(key) ?? node.dotted.get(key)
      if (child !== undefined) this.readValue(value, child)
      else this.readUnknownKey(key, value, node)
    }
    this.steps.length = at
  }

  /** Reads an object into one that holds no objects: the keys on the way are parts of the names. */
  private readFlat(object: Source, node: ObjectNode, prefix: string): void {
    const at = this.enter()
    for (const [key, value] of Object.entries(object)) {
      this.steps[at] = key
      this.checkName(key)
      this.readFlatValue(value, node, prefix + key)
    }
    this.steps.length = at
  }

  private readFlatValue(value: unknown, node: ObjectNode, name: string): void {
    const child = node.children.get(name)
    const takesObjects = child?.kind === 'leaf' && child.type.objects !== undefined
    if (takesObjects) this.readValue(value, child)
    else if (Array.isArray(value)) {
      const at = this.enter()
      for (const [index, element] of value.entries()) {
        this.steps[at] = index
        this.readFlatValue(element, node, name)
      }
      this.steps.length = at
    } else if (typeof value === 'object' && value !== null) this.readFlat(value as Source, node, `${name}.`)
    else if (child !== undefined) this.readValue(value, child)
    else this.readNew(value, node, [], name)
  }

  /** Where the steps below start. Deeper documents than this would end the stack, as they are refused elsewhere too. */
  private enter(): number {
    const depth = this.steps.length
    if (depth >= nestingDepthMax)
      throw this.failure(
        this.steps.slice(0, 1),
        `Document nesting depth (${depth + 1}) exceeds the maximum allowed (${nestingDepthMax})`,
      )
    return depth
  }

  private readUnknownKey(key: string, value: unknown, node: ObjectNode): void {
    this.checkName(key)
    if (!key.includes('.')) {
      this.readNew(value, node, [], key)
      return
    }
    const names = key.replace(/\.+$/u, '').split('.')
    let parent = node
    for (const [depth, name] of names.entries()) {
      if (parent.flat) {
        this.readFlatValue(value, parent, names.slice(depth).join('.'))
        return
      }
      const child = parent.children.get(name)
      if (child === undefined) {
        this.readNew(value, parent, names.slice(depth, -1), names.at(-1) ?? name)
        return
      }
      if (depth === names.length - 1) {
        node.dotted.set(key, child)
        this.readValue(value, child)
        return
      }
      if (child.kind === 'leaf') {
        this.readUnderLeaf(child, names.slice(depth + 1), value)
        return
      }
      if (!child.enabled) return
      parent = child
    }
  }

  private checkName(key: string): void {
    if (key !== '' && key.trim() === '')
      throw this.failure(this.steps, `Field name cannot contain only whitespace: [${key}]`)
    this.refuse(nameFault(key))
  }

  private refuse(fault: string | undefined): void {
    if (fault === undefined) return
    const cause = new AppError(searchErrors.illegal_argument_exception, fault)
    throw this.failure(this.steps, `failed to parse: ${fault}`, cause)
  }

  /** A dotted name that goes on below a leaf: for the leaf it is an object. */
  private readUnderLeaf(leaf: LeafNode, below: readonly string[], value: unknown): void {
    if (leaf.type.ofDocument) {
      const { path, wireType } = leaf.field
      throw this.failure(
        this.steps,
        `Could not dynamically add mapping for field [${this.steps.join('.')}]. Existing mapping for [${path}] must be of type object but found [${wireType}].`,
      )
    }
    if (leaf.type.objects !== undefined) this.readValue(value, leaf)
    else if (value !== null)
      this.readLeaf(
        below.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value),
        leaf,
      )
  }

  private readValue(value: unknown, node: MappingNode): void {
    if (node.kind === 'leaf') {
      if (node.type.objects === 'whole')
        for (const member of node.type.members?.(value) ?? [value]) this.readLeaf(member, node)
      else if (typeof value === 'object' && value !== null) this.readCompound(value, node)
      else if (node.type.objects === 'leaves' && value !== null && this.keyBelow(node) === '')
        throw this.leafFailure(node, value, noObject(value))
      else this.readLeaf(value, node)
      return
    }
    if (!node.enabled || value === null || value === undefined) return
    if (Array.isArray(value)) this.readArray(value, node)
    else if (typeof value === 'object') {
      if (node.nested) this.readNested(value as Source, node)
      else this.readObject(value as Source, node)
    } else
      throw this.failure(
        this.steps,
        `object mapping for [${node.path}] tried to parse field [${typeof this.steps.at(-1) === 'number' ? 'null' : node.path.split('.').at(-1)}] as object, but found a concrete value`,
      )
  }

  /** Reads an object that is a document of its own to what a document may hold once. */
  private readNested(object: Source, node: ObjectNode): void {
    this.countNested()
    this.nestedDepth += 1
    this.readObject(object, node)
    this.nestedDepth -= 1
  }

  private countNested(): void {
    this.nestedObjects += 1
    const max = this.limits.nestedObjectsMax
    if (this.nestedObjects > max)
      throw this.failure(
        this.steps,
        `The number of nested documents has exceeded the allowed limit of [${max}]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.`,
      )
  }

  private readArray(values: readonly unknown[], node: MappingNode): void {
    const at = this.enter()
    for (let index = 0; index < values.length; index++) {
      this.steps[at] = index
      this.readValue(values[index], node)
    }
    this.steps.length = at
  }

  private readCompound(value: object, leaf: LeafNode): void {
    if (Array.isArray(value)) this.readArray(value, leaf)
    else if (leaf.type.objects === 'leaves') {
      const at = this.enter()
      for (const [key, inner] of Object.entries(value)) {
        this.steps[at] = key
        this.readValue(inner, leaf)
      }
      this.steps.length = at
    } else this.readLeaf(value, leaf)
  }

  private readLeaf(value: unknown, leaf: LeafNode): void {
    const stored = this.store(value, leaf)
    if (leaf.keyed !== undefined && stored !== undefined) this.keep(keyedEntry(this.keyBelow(leaf), stored), leaf.keyed)
    for (const sub of leaf.multiFields) this.store(value, sub)
    for (const target of leaf.copyTo) this.copy(value, target)
  }

  /** The path from a `flattened` field to where the reader stands. */
  private keyBelow(leaf: LeafNode): string {
    const names = this.steps.filter((step) => typeof step === 'string')
    return names.join('.').slice(leaf.field.path.length + 1)
  }

  /** Stores a value and gives back how it is kept, if it is. */
  private store(value: unknown, leaf: LeafNode): string | undefined {
    let parsed: ReturnType<LeafNode['type']['parse']>
    try {
      parsed = leaf.type.parse(value, leaf.field, this.origin)
      if ('value' in parsed && this.nestedDepth === 0)
        leaf.type.refuseSecond?.(parsed.value, this.found.get(leaf) ?? [], leaf.field)
    } catch (thrown) {
      throw isAppError(thrown) ? this.leafFailure(leaf, value, thrown) : thrown
    }
    if ('ignored' in parsed) this.ignored.add(leaf.field.path)
    else if ('value' in parsed && leaf.valueType !== undefined) {
      this.keep(parsed.value, leaf)
      return String(parsed.value)
    }
    return undefined
  }

  private keep(value: Value, leaf: LeafNode): void {
    const values = this.found.get(leaf)
    if (values === undefined) this.found.set(leaf, [value])
    else values.push(value)
  }

  private copy(value: unknown, target: string): void {
    if (value === null) return
    const names = target.split('.')
    let parent = this.compiled.root
    for (const [depth, name] of names.entries()) {
      const between = parent.flat ? [] : names.slice(depth, -1)
      const last = parent.flat ? names.slice(depth).join('.') : (names.at(-1) ?? name)
      const child = parent.children.get(parent.flat ? last : name)
      if (child === undefined) {
        this.readNew(value, parent, between, last)
        return
      }
      if (child.kind === 'leaf') {
        this.store(value, child)
        for (const sub of child.multiFields) this.store(value, sub)
        return
      }
      parent = child
    }
  }

  /** A value under a name the mapping does not have; `between` are objects still missing on the way. */
  private readNew(value: unknown, parent: ObjectNode, between: readonly string[], name: string): void {
    if (parent.dynamic === 'false') return
    if (parent.dynamic === 'strict') throw this.strict(parent.dynamic, between[0] ?? name, parent.path)
    const names = parent.path === '' ? [...between, name] : [...parent.path.split('.'), ...between, name]
    this.addNew(value, names, parent.dynamic)
  }

  private strict(dynamic: Dynamic, name: string, within: string): AppError {
    return this.failure(
      this.steps,
      `mapping set to ${dynamic}, dynamic introduction of [${name}] within [${within === '' ? '_doc' : within}] is not allowed`,
      undefined,
      searchErrors.strict_dynamic_mapping_exception,
    )
  }

  private addNew(value: unknown, names: readonly string[], dynamic: Dynamic): void {
    if (value === null || value === undefined) return
    if (Array.isArray(value)) {
      const at = this.enter()
      for (const [index, element] of value.entries()) {
        this.steps[at] = index
        this.addNew(element, names, dynamic)
      }
      this.steps.length = at
      return
    }
    if (typeof value === 'object') this.addNewObject(value as Source, names, dynamic)
    else this.add(value, names, dynamic)
  }

  private addNewObject(value: Source, names: readonly string[], parent: Dynamic): void {
    const definition = this.add(value, names, parent)
    if (definition === undefined || isLeafDefinition(definition) || definition.enabled === false) return
    const dynamic = definition.dynamic ?? parent
    const readsOn = dynamic !== 'false' && dynamic !== 'strict' && !holdsNoObjects(definition)
    const at = this.enter()
    for (const key of Object.keys(value)) {
      this.steps[at] = key
      this.checkName(key)
      // A new object may come from a template with a `dynamic` or fields of its own: the next pass reads it by them.
      if (readsOn && !Object.hasOwn(definition.properties ?? {}, key))
        this.addNew(value[key], [...names, ...key.split('.')], dynamic)
    }
    this.steps.length = at
  }

  /** Notes a new field, once; answers how it will be mapped, or undefined when it will not be. */
  private add(value: unknown, names: readonly string[], dynamic: Dynamic): Addition['definition'] | undefined {
    const path = names.join('.')
    const before = this.added.get(path)
    if (before !== undefined) return before
    if (Object.hasOwn(this.mapping.runtime ?? {}, path)) return undefined
    if (!this.mayAdd) {
      this.ignored.add(path)
      return undefined
    }
    this.refuse(roomFault(this.mapping, this.added, names, this.limits))
    // Checked here as well as on the whole mapping: a very deep document must not cost its depth squared first.
    if (names.length > this.limits.depthMax) throw tooDeep(this.limits, names.slice(0, this.limits.depthMax).join('.'))
    if (!noteParents(this.added, names)) return undefined
    // It looks through the source from its beginning: not for each of any number beyond the limit, where nothing will be added.
    const bytes = this.additions.length > this.limits.fieldsMax ? undefined : this.origin.bytes
    const isDecimal = (): boolean => bytes !== undefined && isWrittenAsDecimal(bytes, this.steps)
    try {
      const field = { path, name: names.at(-1) ?? path, leaf: value, isDecimal }
      const found = dynamicField(this.mapping, field, dynamic)
      if (found === 'unnamed') {
        // An object among runtime fields is none itself, but may hold some.
        if (dynamic !== 'strict_allow_templates') return dynamic === 'runtime' ? newObject : undefined
        throw this.strict(dynamic, names.at(-1) ?? path, names.slice(0, -1).join('.'))
      }
      this.added.set(path, found.definition)
      this.additions.push({ steps: names, ...found })
      return found.definition
    } catch (thrown) {
      if (!isAppError(thrown) || thrown.code === 'strict_dynamic_mapping_exception') throw thrown
      throw this.failure(this.steps, `failed to parse: ${thrown.message}`, thrown)
    }
  }

  private leafFailure(leaf: LeafNode, value: unknown, cause: AppError): AppError {
    // A field name too long for a term is Elasticsearch's one error that is not wrapped.
    if (cause.message.startsWith('Document contains at least one immense term')) return cause
    const { bytes, id } = this.origin
    const placed = placedCause(cause, bytes, this.steps, value)
    return this.failure(this.steps, leafFailureReason(leaf, value, { cause: placed, id }), placed)
  }

  private failure(
    steps: SourcePath,
    reason: string,
    cause?: AppError,
    entry = searchErrors.document_parsing_exception,
  ): AppError {
    const place = this.origin.bytes === undefined ? undefined : locateValue(this.origin.bytes, steps)
    const message = `[${place?.line ?? 1}:${place?.column ?? 1}] ${reason}`
    return new AppError(entry, message, cause === undefined ? {} : { cause })
  }
}
