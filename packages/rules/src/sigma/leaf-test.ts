import { parseInstant } from '../instant.ts'
import type { Match, TimePart } from './detection.ts'
import type { EventTexts, Slot } from './event-texts.ts'
import { compileRegexp } from './modifiers.ts'
import { regexpLiterals } from './regexp-literals.ts'
import { piecesTest } from './text.ts'

const regexpTextMax = 65_536

/** The test of one match on an event; `slotOf` gives the paths of a field. Time is bounded by the length of the event's values. */
export function leafTest(match: Match, slotOf: (field: string | undefined) => Slot): (event: EventTexts) => boolean {
  const slot = slotOf(match.field)
  switch (match.kind) {
    case 'text': {
      const test = piecesTest(match.pieces)
      return match.cased ? (event) => event.texts(slot).some(test) : (event) => event.lower(slot).some(test)
    }
    case 're': {
      const expression = compileRegexp(match.source, match.flags)
      const needs = regexpLiterals(match.source)
      return (event) =>
        event.texts(slot).some((text, at) => {
          const lower = needs.length === 0 ? '' : (event.folded(slot)[at] ?? '')
          if (!needs.every((texts) => texts.some((wanted) => lower.includes(wanted)))) return false
          return expression.matcher(text.slice(0, regexpTextMax)).find()
        })
    }
    case 'cidr':
      return (event) => event.addresses(slot).some((address) => address >= match.first && address <= match.last)
    case 'compare':
      return (event) =>
        event.texts(slot).some((text) => text.trim() !== '' && compares(Number(text), match.operator, match.value))
    case 'exists':
      return (event) => event.texts(slot).length > 0
    case 'fieldref': {
      const other = slotOf(match.other)
      const texts = (event: EventTexts, of: Slot) => (match.cased ? event.texts(of) : event.lower(of))
      return (event) =>
        texts(event, slot).some((text) => texts(event, other).some((wanted) => relates(text, wanted, match.relation)))
    }
    case 'time':
      return (event) => event.texts(slot).some((text) => partOf(text, match.part) === match.value)
  }
}

function compares(value: number, operator: 'lt' | 'lte' | 'gt' | 'gte', bound: number): boolean {
  if (operator === 'lt') return value < bound
  if (operator === 'lte') return value <= bound
  return operator === 'gt' ? value > bound : value >= bound
}

function relates(text: string, wanted: string, relation: 'equals' | 'contains' | 'startswith' | 'endswith'): boolean {
  if (relation === 'equals') return text === wanted
  if (relation === 'contains') return text.includes(wanted)
  return relation === 'startswith' ? text.startsWith(wanted) : text.endsWith(wanted)
}

function partOf(text: string, part: TimePart): number | undefined {
  const instant = parseInstant(text)
  if (!instant) return undefined
  const date = new Date(instant.ms)
  switch (part) {
    case 'minute':
      return date.getUTCMinutes()
    case 'hour':
      return date.getUTCHours()
    case 'day':
      return date.getUTCDate()
    case 'month':
      return date.getUTCMonth() + 1
    case 'year':
      return date.getUTCFullYear()
    case 'week':
      return isoWeek(date)
  }
}

// ISO 8601: week 1 holds the year's first Thursday.
function isoWeek(date: Date): number {
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  return Math.ceil(((thursday.getTime() - first) / 86_400_000 + 1) / 7)
}
