import type { Anchor, Need } from './anchor.ts'
import { BlockIndex } from './block-index.ts'
import type { EventTexts, Slot } from './event-texts.ts'
import { GramIndex } from './gram-index.ts'

/** What is filed for one slot. */
interface Filed {
  readonly slot: Slot
  readonly present: number[]
  readonly whole: Map<string, number[]>
  /** The length of the longest whole text: longer ones are none of them. */
  wholeLengthMax: number
  parts: GramIndex | undefined
  blocks: BlockIndex | undefined
}

/** Leads from what an event holds to the rules, by number, that are worth looking at. */
export class AnchorIndex {
  readonly #always: number[] = []
  readonly #slots = new Map<Slot, Filed>()

  /** Files a rule under its anchor; one without is always worth looking at. */
  add(anchor: Anchor | undefined, rule: number): void {
    if (!anchor) this.#always.push(rule)
    else for (const need of anchor) this.#file(need, rule)
  }

  /** Calls `found` with rules of which the event meets a need; one may come more than once. */
  search(event: EventTexts, found: (rules: readonly number[]) => void): void {
    found(this.#always)
    for (const filed of this.#slots.values()) {
      const texts = event.folded(filed.slot)
      if (texts.length === 0) continue
      found(filed.present)
      for (const text of texts) {
        const rules = text.length <= filed.wholeLengthMax ? filed.whole.get(text) : undefined
        if (rules) found(rules)
        filed.parts?.search(text, found)
      }
      if (filed.blocks) for (const address of event.addresses(filed.slot)) filed.blocks.search(address, found)
    }
  }

  #file(need: Need, rule: number): void {
    const filed: Filed = this.#slots.get(need.slot) ?? {
      slot: need.slot,
      present: [],
      whole: new Map(),
      wholeLengthMax: -1,
      parts: undefined,
      blocks: undefined,
    }
    this.#slots.set(need.slot, filed)
    switch (need.kind) {
      case 'present':
        filed.present.push(rule)
        break
      case 'whole': {
        filed.wholeLengthMax = Math.max(filed.wholeLengthMax, need.text.length)
        const rules = filed.whole.get(need.text)
        if (rules) rules.push(rule)
        else filed.whole.set(need.text, [rule])
        break
      }
      case 'part':
        filed.parts ??= new GramIndex()
        filed.parts.add(need.text, rule)
        break
      case 'block':
        filed.blocks ??= new BlockIndex()
        filed.blocks.add(need.first, need.last, rule)
        break
    }
  }
}
