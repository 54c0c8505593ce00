import { leavesAt } from '@logstack/rules'
import { z } from 'zod'

/** What stands for an absent field in a key, as in ElastAlert. */
export const missingValue = '<MISSING VALUE>'

/** The first value of a field in an event as text, or undefined. A final `.keyword` that the event does not have names the field above it. */
export function valueAt(source: unknown, field: string): string | undefined {
  const leaf = leafAt(source, field)
  if (leaf === undefined) return undefined
  return typeof leaf === 'object' ? JSON.stringify(leaf) : String(leaf)
}

/** The first value of a field as it stands in the event, or undefined. */
export function leafAt(source: unknown, field: string): unknown {
  const leaf = leavesAt(source, field)[0]
  if (leaf === undefined && field.endsWith('.keyword')) return leavesAt(source, field.slice(0, -'.keyword'.length))[0]
  return leaf
}

/** The values of several fields as one key, as ElastAlert joins them. */
export function keyOf(source: unknown, fields: readonly string[]): string {
  return fields.map((field) => valueAt(source, field) ?? missingValue).join(', ')
}

/** A list of words to compare with, numbers and booleans as their text. */
export const wordsSchema = z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).min(1)
