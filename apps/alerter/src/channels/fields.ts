import { z } from 'zod'
import { leafAt } from '../rule-values/field-values.ts'
import { fillFormat } from '../rule-values/python-format.ts'
import type { Message } from './define-channel.ts'

/** A field of the match, or else of the alert; undefined when neither has it. */
export function fieldOf({ alerts: [{ document }] }: Message, path: string): unknown {
  return leafAt(document.logstack.alert.match ?? {}, path) ?? leafAt(document, path)
}

/** A text with `{field}` replaced by the match's fields. */
export function filled(message: Message, text: string): string {
  const names = [...text.matchAll(/\{([^{}:!]+)/gu)].map(([, name = '']) => name)
  const named = Object.fromEntries(names.map((name) => [name, fieldOf(message, name)]))
  return fillFormat(text, { named, missing: '<MISSING VALUE>' })
}

/** ElastAlert's list of fields that a chat message shows beside its text; `value` names a field. */
export const shownFieldsOption = z
  .array(z.looseObject({ title: z.string(), value: z.string(), short: z.boolean().optional() }))
  .optional()

/** These fields with their values. */
export function shownFields(message: Message, fields: z.output<typeof shownFieldsOption>): object[] {
  return (fields ?? []).map((field) => ({
    ...field,
    value: String(fieldOf(message, field.value) ?? '<MISSING VALUE>'),
  }))
}

/** A text of at most `max` characters, with a word where it was cut. */
export function cropped(text: string, max: number): string {
  const note = '\n… (cut, the whole alert is in the dashboard)'
  return text.length <= max ? text : `${text.slice(0, max - note.length)}${note}`
}
