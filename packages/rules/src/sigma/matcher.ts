import { fitsStars } from '../star-pattern.ts'
import { anchorOf, countNeeds, type NeedCounts, type SlotOf } from './anchor.ts'
import { AnchorIndex } from './anchor-index.ts'
import type { Detection, Match } from './detection.ts'
import { EventTexts, type Slot } from './event-texts.ts'
import { leafTest } from './leaf-test.ts'
import { type MappedSource, type MappingConditions, mapSource, type SigmaMapping } from './mapping.ts'
import type { SigmaRule } from './sigma-rule.ts'
import { literalPieces, textPieces } from './text.ts'

/** A rule that can never be looked at, and why. */
export interface Unmapped {
  readonly rule: SigmaRule
  readonly reason: string
  /** The log source that no mapping knows; absent where the rule names none. */
  readonly unknownSource?: string
}

/** A test of one leaf, shared by all rules that have it; its outcome is kept for the event at hand. */
interface Leaf {
  readonly test: (event: EventTexts) => boolean
  readonly cost: number
  seen: number
  held: boolean
}

type Node =
  | { readonly op: 'and' | 'or'; readonly of: readonly Node[] }
  | { readonly op: 'not'; readonly of: Node }
  | { readonly op: 'leaf'; readonly leaf: Leaf }

interface Member {
  readonly rule: SigmaRule
  readonly node: Node
  /** The last event that it was tried with. */
  tried: number
}

interface Group {
  readonly source: MappedSource
  readonly when: Node
  readonly slotOf: SlotOf
  readonly rules: Member[]
  readonly index: AnchorIndex
}

const costs: Readonly<Record<Match['kind'], number>> = {
  exists: 1,
  text: 2,
  compare: 2,
  time: 3,
  cidr: 3,
  fieldref: 4,
  re: 100,
}

/**
 * Thousands of Sigma rules, looked at together for each event. Rules are grouped by log source, whose own conditions are tested once; within
 * a group only the rules are evaluated of which the event holds something that they cannot match without. Tests that rules share are made once
 * an event. An event's time is bounded by its size and the number of rules: there is no backtracking.
 */
export class SigmaMatcher {
  readonly unmapped: readonly Unmapped[]
  readonly #slots = new Map<string, Slot>()
  readonly #leaves = new Map<string, Leaf>()
  readonly #groups: readonly Group[]
  readonly #byIndex = new Map<string, readonly Group[]>()
  readonly #texts = new EventTexts()
  #event = 0

  constructor(rules: readonly SigmaRule[], mappings: readonly SigmaMapping[]) {
    const groups = new Map<string, Group>()
    const unmapped: Unmapped[] = []
    for (const rule of rules) {
      const source = mapSource(rule.logSource, mappings)
      if ('reason' in source) unmapped.push({ rule, ...source })
      else this.#place(rule, groups.get(source.key) ?? this.#group(source, groups))
    }
    this.unmapped = unmapped
    this.#groups = [...groups.values()]
    for (const group of this.#groups) this.#file(group)
  }

  /** The index patterns that hold events of the rules. */
  get indices(): string[] {
    return [...new Set(this.#groups.flatMap(({ source }) => source.mapping.index))].sort()
  }

  /** How many rules are looked at. */
  get size(): number {
    return this.#groups.reduce((sum, { rules }) => sum + rules.length, 0)
  }

  /** The paths at which a rule's field may be in an event. */
  pathsOf(rule: SigmaRule, field: string): readonly string[] {
    const group = this.#groups.find(({ rules }) => rules.some((member) => member.rule === rule))
    return group?.source.pathsOf(field) ?? [field]
  }

  /** The rules that match an event of an index, each once. Without an index all rules may match. */
  match(source: unknown, index?: string): SigmaRule[] {
    const event = this.#texts
    event.read(source)
    this.#event++
    const found: SigmaRule[] = []
    for (const group of index === undefined ? this.#groups : this.#groupsOf(index)) {
      if (!this.#holds(group.when, event)) continue
      group.index.search(event, (rules) => {
        for (const at of rules) this.#try(group, at, event, found)
      })
    }
    return found
  }

  #groupsOf(index: string): readonly Group[] {
    const known = this.#byIndex.get(index)
    if (known) return known
    const found = this.#groups.filter(({ source }) => source.mapping.index.some((pattern) => fitsIndex(pattern, index)))
    if (this.#byIndex.size > 1000) this.#byIndex.clear()
    this.#byIndex.set(index, found)
    return found
  }

  /** Adds a rule to those that were found if it matches; one that several needs lead to is tried once. */
  #try(group: Group, at: number, event: EventTexts, found: SigmaRule[]): void {
    const member = group.rules[at]
    if (!member || member.tried === this.#event) return
    member.tried = this.#event
    if (this.#holds(member.node, event)) found.push(member.rule)
  }

  #holds(node: Node, event: EventTexts): boolean {
    switch (node.op) {
      case 'leaf': {
        const { leaf } = node
        if (leaf.seen !== this.#event) {
          leaf.held = leaf.test(event)
          leaf.seen = this.#event
        }
        return leaf.held
      }
      case 'not':
        return !this.#holds(node.of, event)
      // Not `every` and `some`: those need a function made for every call.
      case 'and':
        for (const inner of node.of) if (!this.#holds(inner, event)) return false
        return true
      case 'or':
        for (const inner of node.of) if (this.#holds(inner, event)) return true
        return false
    }
  }

  #group(source: MappedSource, groups: Map<string, Group>): Group {
    const when: Node = { op: 'and', of: source.when.map((conditions) => this.#conditions(conditions)) }
    const group: Group = { source, when, slotOf: this.#slotsOf(source), rules: [], index: new AnchorIndex() }
    groups.set(source.key, group)
    return group
  }

  #place(rule: SigmaRule, group: Group): void {
    group.rules.push({ rule, node: this.#compile(rule.detection, group.slotOf), tried: -1 })
  }

  /** Files all rules of a group, which are known by then, each under the rarest thing that it needs. */
  #file({ rules, slotOf, index }: Group): void {
    const counts: NeedCounts = new Map()
    for (const { rule } of rules) countNeeds(rule.detection, slotOf, counts)
    for (const [at, { rule }] of rules.entries()) index.add(anchorOf(rule.detection, slotOf, counts), at)
  }

  #slotsOf(source: MappedSource): SlotOf {
    const known = new Map<string | undefined, Slot>()
    return (field) => {
      const slot = known.get(field) ?? this.#slot(field === undefined ? [] : source.pathsOf(field))
      known.set(field, slot)
      return slot
    }
  }

  #compile(detection: Detection, slotOf: SlotOf): Node {
    if (detection.op === 'not') return { op: 'not', of: this.#compile(detection.of, slotOf) }
    if (detection.op === 'match') return { op: 'leaf', leaf: this.#leaf(detection.match, slotOf) }
    const of = detection.of.map((inner) => this.#compile(inner, slotOf))
    return { op: detection.op, of: of.sort((left, right) => costOf(left) - costOf(right)) }
  }

  #leaf(match: Match, slotOf: SlotOf): Leaf {
    const other = match.kind === 'fieldref' ? slotOf(match.other).at : 0
    const { field, ...rest } = match
    const key = `${slotOf(field).at} ${other} ${JSON.stringify(rest, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`
    const known = this.#leaves.get(key)
    if (known) return known
    const leaf: Leaf = { test: leafTest(match, slotOf), cost: costs[match.kind], seen: -1, held: false }
    this.#leaves.set(key, leaf)
    return leaf
  }

  #slot(paths: readonly string[]): Slot {
    const key = JSON.stringify(paths)
    const known = this.#slots.get(key)
    if (known) return known
    const slot = { at: this.#slots.size, paths }
    this.#slots.set(key, slot)
    return slot
  }

  #conditions(conditions: MappingConditions): Node {
    const leaf = (path: string, text: string): Node => {
      const prefix = text.endsWith('*') ? textPieces(text.toLowerCase()) : literalPieces(text.toLowerCase())
      return {
        op: 'leaf',
        leaf: this.#leaf({ kind: 'text', field: path, pieces: prefix, cased: false }, () => this.#slot([path])),
      }
    }
    const of = conditions.map(
      (map): Node => ({
        op: 'and',
        of: Object.entries(map).map(([path, texts]): Node => ({ op: 'or', of: texts.map((text) => leaf(path, text)) })),
      }),
    )
    return { op: 'or', of }
  }
}

function costOf(node: Node): number {
  if (node.op === 'leaf') return node.leaf.cost
  if (node.op === 'not') return costOf(node.of)
  return node.of.reduce((sum, inner) => sum + costOf(inner), 1)
}

/** Whether an index, or a backing index of a data stream, is one that a pattern names. */
function fitsIndex(pattern: string, index: string): boolean {
  const name = /^\.ds-(.+)-\d{4}\.\d{2}\.\d{2}-\d{6}$/u.exec(index)?.[1] ?? index
  return fitsStars(name, pattern)
}
