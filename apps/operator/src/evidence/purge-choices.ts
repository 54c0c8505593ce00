import { AppError, operatorErrors } from '@logstack/errors'
import { z } from 'zod'
import type { DoctorContext } from '../doctor/define-fault.ts'
import { askSearch } from './search-answers.ts'

const purgeSchema = z.object({
  indices: z.array(z.object({ index: z.string(), documents: z.number(), bytes: z.number() })),
  events: z.array(z.object({ index: z.string(), documents: z.number(), before: z.string() })),
})

/** What search answers to `POST /_logstack/retention/_purge`. */
export type PurgeAnswer = z.infer<typeof purgeSchema>

/** What would go if everything older than an age were deleted. */
export interface PurgeChoice {
  /** As search takes it: `30d`. */
  readonly age: string
  /** Whole indices, and the bytes that they give back. */
  readonly indices: number
  readonly bytes: number
  /** All events that go, those of whole indices included. */
  readonly events: number
}

// Nothing younger than a day is offered, as retention itself keeps it.
const ages = ['365d', '180d', '90d', '60d', '30d', '14d', '7d', '3d', '1d'] as const

/** Ages to delete from, the oldest first, each with more to go than the one before; search is asked to count, and deletes nothing. */
export async function purgeChoices(context: DoctorContext): Promise<PurgeChoice[]> {
  const counted = await Promise.all(
    ages.map(async (age) => {
      const path = `/_logstack/retention/_purge?older_than=${age}&dry_run=true`
      return choiceOf(age, await askSearch(context, { path, body: {}, answer: purgeSchema }))
    }),
  )
  return counted.filter(({ events }, at) => events > (counted[at - 1]?.events ?? 0))
}

function choiceOf(age: string, { indices = [], events = [] }: Partial<PurgeAnswer> = {}): PurgeChoice {
  return {
    age,
    indices: indices.length,
    bytes: indices.reduce((sum, { bytes }) => sum + bytes, 0),
    events: [...indices, ...events].reduce((sum, { documents }) => sum + documents, 0),
  }
}

/** The choice that deletes least and still gives back so many bytes; the one that gives back most where none does. */
export function smallestThatFrees(choices: readonly PurgeChoice[], bytes: number): PurgeChoice | undefined {
  return choices.find((choice) => choice.bytes >= bytes) ?? choices.at(-1)
}

/**
 * The age that a person typed, undefined for none. Only what was counted and shown may go: a slip of the finger (`1h`) must not delete what
 * nobody was told of, so anything else is `option_invalid`.
 */
export function chosenAge(choices: readonly PurgeChoice[], typed: string): string | undefined {
  const wanted = typed.trim()
  if (wanted === '') return undefined
  const ages = choices.map(({ age }) => age)
  if (ages.includes(wanted)) return wanted
  throw new AppError(operatorErrors.option_invalid, `nothing was deleted: [${wanted}] is none of the ages offered`, {
    fix: `./logstack doctor --repair --only disk-space, and type one of ${ages.join(', ')}`,
  })
}
