import type { TextOptions } from '../rule-files/rule.ts'
import { leafAt } from '../rule-values/field-values.ts'
import { fillFormat, textOf } from '../rule-values/python-format.ts'

/** What is worded: the rule's name and top-level keys, its sentence for this match, and the match's fields. */
export interface Worded {
  readonly ruleName: string
  readonly rule: Readonly<Record<string, unknown>>
  readonly sentence: string
  readonly match: Readonly<Record<string, unknown>>
}

/** The one-line title of an alert: `alert_subject`, or the rule's name. */
export function subjectOf(options: TextOptions, worded: Worded): string {
  if (options.subject === undefined) return worded.ruleName
  const { subject, subjectArgs, missing } = options
  const text = subjectArgs
    ? fillFormat(subject, { positional: subjectArgs.map((name) => lookUp(worded, name)), missing })
    : subject
  return text.replace(/[\r\n]+/gu, ' ').slice(0, options.subjectMax)
}

/** The body of an alert: `alert_text` with its values, then, unless left out, the rule's sentence, top counts and the match's fields. */
export function bodyOf(options: TextOptions, worded: Worded): string {
  let text = options.text === undefined ? `${worded.ruleName}\n\n` : ''
  text = withBlankLine(text + customText(options, worded))
  if (options.textType === 'alert_text_only') return text
  text = withBlankLine(text + worded.sentence) + topCounts(worded.match)
  return options.textType === 'exclude_fields' ? text : text + matchItems(worded.match)
}

function customText({ text = '', textArgs, textKeywords, missing }: TextOptions, worded: Worded): string {
  if (textArgs) return fillFormat(text, { positional: textArgs.map((name) => lookUp(worded, name)), missing })
  if (!textKeywords) return text
  const named = Object.fromEntries(Object.entries(textKeywords).map(([field, name]) => [name, lookUp(worded, field)]))
  return fillFormat(text, { named, missing })
}

function lookUp({ match, rule }: Worded, name: string): unknown {
  return leafAt(match, name) ?? rule[name]
}

function withBlankLine(text: string): string {
  return `${text.replace(/\n+$/u, '')}\n\n`
}

function topCounts(match: Readonly<Record<string, unknown>>): string {
  let text = ''
  for (const [name, counts] of Object.entries(match)) {
    if (!name.startsWith('top_events_') || typeof counts !== 'object' || counts === null) continue
    const lines = Object.entries(counts).sort(([, left], [, right]) => Number(right) - Number(left))
    text += `${name.slice('top_events_'.length)}:\n`
    text += lines.length === 0 ? 'No events found.\n' : lines.map(([term, count]) => `${term}: ${count}\n`).join('')
    text += '\n'
  }
  return text
}

function matchItems(match: Readonly<Record<string, unknown>>): string {
  return Object.entries(match)
    .filter(([name]) => !name.startsWith('top_events_'))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}: ${textOf(value)}\n`)
    .join('')
}
