import { fitsStars } from '../star-pattern.ts'
import type { Detection, Match } from './detection.ts'
import { EventTexts, type Slot } from './event-texts.ts'
import { GramIndex } from './gram-index.ts'
import { leafTest } from './leaf-test.ts'
import { type MappedSource, type MappingConditions, mapSource, type SigmaMapping } from './mapping.ts'
import type { SigmaRule } from './sigma-rule.ts'
import { literalPieces, textPieces } from './text.ts'

/** A rule that can never be looked at, and why. */
export interface Unmapped {
  readonly rule: SigmaRule
  readonly reason: string
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

/** What an event must have for a rule to be worth looking at: one of these literals in their slots. */
interface Anchor {
  readonly literals: readonly { readonly slot: Slot; readonly text: string; readonly whole: boolean }[]
  readonly score: number
}

interface Group {
  readonly source: MappedSource
  readonly when: Node
  readonly rules: { readonly rule: SigmaRule; readonly node: Node }[]
  readonly always: number[]
  readonly whole: Map<Slot, Map<string, number[]>>
  readonly parts: Map<Slot, GramIndex>
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
 * a group only the rules are evaluated of which the event holds a literal that they cannot match without. Tests that rules share are made once
 * an event. An event's time is bounded by its size and the number of rules: there is no backtracking.
 */
export class SigmaMatcher {
  readonly unmapped: readonly Unmapped[]
  readonly #slots = new Map<string, Slot>()
  readonly #leaves = new Map<string, Leaf>()
  readonly #groups: readonly Group[]
  readonly #byIndex = new Map<string, readonly Group[]>()
  #event = 0

  constructor(rules: readonly SigmaRule[], mappings: readonly SigmaMapping[]) {
    const groups = new Map<string, Group>()
    const unmapped: Unmapped[] = []
    for (const rule of rules) {
      const source = mapSource(rule.logSource, mappings)
      if ('reason' in source) unmapped.push({ rule, reason: source.reason })
      else this.#place(rule, groups.get(source.key) ?? this.#group(source, groups))
    }
    this.unmapped = unmapped
    this.#groups = [...groups.values()]
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
    const event = new EventTexts(source)
    this.#event++
    const found: SigmaRule[] = []
    for (const group of index === undefined ? this.#groups : this.#groupsOf(index)) {
      if (!this.#holds(group.when, event)) continue
      for (const at of this.#candidates(group, event)) {
        const member = group.rules[at]
        if (member && this.#holds(member.node, event)) found.push(member.rule)
      }
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

  #candidates(group: Group, event: EventTexts): Set<number> {
    const found = new Set(group.always)
    const add = (members: readonly number[]): void => {
      for (const member of members) found.add(member)
    }
    for (const [slot, texts] of group.whole) for (const text of event.lower(slot)) add(texts.get(text) ?? [])
    for (const [slot, index] of group.parts) for (const text of event.lower(slot)) index.search(text, add)
    return found
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
      case 'and':
        return node.of.every((inner) => this.#holds(inner, event))
      case 'or':
        return node.of.some((inner) => this.#holds(inner, event))
    }
  }

  #group(source: MappedSource, groups: Map<string, Group>): Group {
    const when: Node = { op: 'and', of: source.when.map((conditions) => this.#conditions(conditions)) }
    const group: Group = { source, when, rules: [], always: [], whole: new Map(), parts: new Map() }
    groups.set(source.key, group)
    return group
  }

  #place(rule: SigmaRule, group: Group): void {
    const at = group.rules.length
    const slotOf = (field: string | undefined): Slot =>
      this.#slot(field === undefined ? [] : group.source.pathsOf(field))
    group.rules.push({ rule, node: this.#compile(rule.detection, slotOf) })
    const anchor = anchorOf(rule.detection, slotOf)
    if (!anchor) {
      group.always.push(at)
      return
    }
    for (const { slot, text, whole } of anchor.literals) {
      if (whole) {
        const texts = group.whole.get(slot) ?? new Map<string, number[]>()
        group.whole.set(slot, texts)
        texts.set(text, [...(texts.get(text) ?? []), at])
      } else {
        const index = group.parts.get(slot) ?? new GramIndex()
        group.parts.set(slot, index)
        index.add(text, at)
      }
    }
  }

  #compile(detection: Detection, slotOf: (field: string | undefined) => Slot): Node {
    if (detection.op === 'not') return { op: 'not', of: this.#compile(detection.of, slotOf) }
    if (detection.op === 'match') return { op: 'leaf', leaf: this.#leaf(detection.match, slotOf) }
    const of = detection.of.map((inner) => this.#compile(inner, slotOf))
    return { op: detection.op, of: of.sort((left, right) => costOf(left) - costOf(right)) }
  }

  #leaf(match: Match, slotOf: (field: string | undefined) => Slot): Leaf {
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

// What an event must hold for the detection to be true: of an "and" the best of its members, of an "or" all of them together.
function anchorOf(detection: Detection, slotOf: (field: string | undefined) => Slot): Anchor | undefined {
  switch (detection.op) {
    case 'not':
      return undefined
    case 'and':
      return detection.of
        .map((inner) => anchorOf(inner, slotOf))
        .reduce((best, anchor) => ((anchor?.score ?? 0) > (best?.score ?? 0) ? anchor : best), undefined)
    case 'or': {
      const anchors = detection.of.map((inner) => anchorOf(inner, slotOf))
      if (anchors.some((anchor) => anchor === undefined)) return undefined
      const literals = anchors.flatMap((anchor) => anchor?.literals ?? [])
      const least = Math.min(...anchors.map((anchor) => anchor?.score ?? 0))
      return { literals, score: Math.max(0.1, least - Math.log2(literals.length)) }
    }
    case 'match':
      return detection.match.kind === 'text' ? textAnchor(detection.match, slotOf) : undefined
  }
}

function textAnchor(
  { field, pieces }: Extract<Match, { kind: 'text' }>,
  slotOf: (field: string | undefined) => Slot,
): Anchor | undefined {
  const [first] = pieces
  // Texts are looked up in lower case; a cased literal is found there too, and tested as it is afterwards.
  if (pieces.length === 1 && typeof first === 'string')
    return {
      literals: [{ slot: slotOf(field), text: first.toLowerCase(), whole: true }],
      score: Math.min(20, first.length + 4),
    }
  const longest = pieces
    .filter((piece) => typeof piece === 'string')
    .reduce((best, piece) => (piece.length > best.length ? piece : best), '')
  if (longest.length < 2) return undefined
  return {
    literals: [{ slot: slotOf(field), text: longest.toLowerCase(), whole: false }],
    score: Math.min(20, longest.length),
  }
}
