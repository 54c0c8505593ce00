import type { Detection, Match } from './detection.ts'
import type { Slot } from './event-texts.ts'
import { folded, regexpLiterals } from './regexp-literals.ts'

/** Something that an event must have in a slot: a whole text, a part of one, an address of a block, or any value at all. Texts are in lower case and folded. */
export type Need =
  | { readonly kind: 'whole' | 'part'; readonly slot: Slot; readonly text: string }
  | { readonly kind: 'block'; readonly slot: Slot; readonly first: bigint; readonly last: bigint }
  | { readonly kind: 'present'; readonly slot: Slot }

/** Needs of which an event must meet one for a rule to be worth looking at. */
export type Anchor = readonly Need[]

/** The slot of a rule's field; without a field that of the whole event. */
export type SlotOf = (field: string | undefined) => Slot

/** How many rules have each need, by `needKey`. */
export type NeedCounts = Map<string, number>

interface Scored {
  readonly needs: Anchor
  /** How seldom events meet it, roughly. */
  readonly score: number
}

const lengthMax = 20
const presentScore = 0.5
const blockScore = 6

/** Counts what a rule looks for. What many rules look for is seldom rare, and leads to all of them when it comes. */
export function countNeeds(detection: Detection, slotOf: SlotOf, counts: NeedCounts): void {
  if (detection.op === 'not') return
  if (detection.op !== 'match') {
    for (const inner of detection.of) countNeeds(inner, slotOf, counts)
    return
  }
  for (const need of waysOf(detection.match, slotOf).flat()) {
    const key = needKey(need)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
}

/** What an event must hold for a detection to be true, the rarest there is; undefined where it may hold nothing, as under a `not`. */
export function anchorOf(detection: Detection, slotOf: SlotOf, counts: NeedCounts): Anchor | undefined {
  return bestOf(detection, slotOf, counts)?.needs
}

// Of an "and" the best of its members, of an "or" all of them together.
function bestOf(detection: Detection, slotOf: SlotOf, counts: NeedCounts): Scored | undefined {
  switch (detection.op) {
    case 'not':
      return undefined
    case 'and':
      return best(detection.of.map((inner) => bestOf(inner, slotOf, counts)))
    case 'or':
      return joined(detection.of.map((inner) => bestOf(inner, slotOf, counts)))
    case 'match':
      return best(
        waysOf(detection.match, slotOf).map((needs) =>
          joined(needs.map((need) => ({ needs: [need], score: scoreOf(need, counts) }))),
        ),
      )
  }
}

function best(ways: readonly (Scored | undefined)[]): Scored | undefined {
  return ways.reduce(
    (found, way) =>
      (way?.score ?? Number.NEGATIVE_INFINITY) > (found?.score ?? Number.NEGATIVE_INFINITY) ? way : found,
    undefined,
  )
}

function joined(members: readonly (Scored | undefined)[]): Scored | undefined {
  let score = lengthMax
  const needs: Need[] = []
  for (const member of members) {
    if (!member) return undefined
    score = Math.min(score, member.score)
    needs.push(...member.needs)
  }
  return { needs, score: score - Math.log2(needs.length) }
}

function scoreOf(need: Need, counts: NeedCounts): number {
  if (need.kind === 'present') return presentScore
  const own =
    need.kind === 'block' ? blockScore : Math.min(lengthMax, need.text.length + (need.kind === 'whole' ? 4 : 0))
  return Math.max(presentScore + 0.1, own - Math.log2(counts.get(needKey(need)) ?? 1))
}

function needKey(need: Need): string {
  const { kind, slot } = need
  if (kind === 'present') return `${slot.at} ${kind}`
  return kind === 'block' ? `${slot.at} ${kind} ${need.first} ${need.last}` : `${slot.at} ${kind} ${need.text}`
}

/** Lists of needs of a test; an event must meet one of each list. */
function waysOf(match: Match, slotOf: SlotOf): readonly Anchor[] {
  const slot = slotOf(match.field)
  const present: Anchor = [{ kind: 'present', slot }]
  switch (match.kind) {
    case 'text': {
      const [first] = match.pieces
      // A cased literal is found in lower case, too, and tested as it is afterwards.
      if (match.pieces.length === 1 && typeof first === 'string')
        return [[{ kind: 'whole', slot, text: folded(first.toLowerCase()) }]]
      return [present, ...match.pieces.flatMap((piece) => (typeof piece === 'string' ? partNeeds([piece], slot) : []))]
    }
    case 're':
      return [present, ...regexpLiterals(match.source).flatMap((texts) => partNeeds(texts, slot))]
    case 'cidr':
      return [[{ kind: 'block', slot, first: match.first, last: match.last }]]
    case 'fieldref':
      return [present, [{ kind: 'present', slot: slotOf(match.other) }]]
    default:
      return [present]
  }
}

function partNeeds(texts: readonly string[], slot: Slot): Anchor[] {
  const lower = texts.map((text) => folded(text.toLowerCase()))
  if (!lower.every(isRare)) return []
  return [lower.map((text) => ({ kind: 'part', slot, text }))]
}

// One letter of ASCII is in nearly every text; one of those that most texts have none of is not.
function isRare(text: string): boolean {
  return text.length > 1 || text.charCodeAt(0) > 127
}
