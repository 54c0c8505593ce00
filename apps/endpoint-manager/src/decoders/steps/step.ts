import type { z } from 'zod'

/** What steps found in an event so far, by name. Texts, but for JSON, whose numbers, truth values and lists stay what they are. */
export type Values = Map<string, unknown>

/** A compiled step: reads `text`, adds what it found, and says whether the text has its form. */
export type Step = (text: string, values: Values) => boolean

/** A way to take a text apart: its keyword in decoder files, its options, and how to do it. */
export interface StepType {
  readonly name: string
  readonly options: z.ZodType
  /** Compiles options that `options` accepted. */
  compile(options: unknown): Step
}

/** Ties the options' schema to the compiler. */
export function defineStep<T>(type: {
  readonly name: string
  readonly options: z.ZodType<T>
  compile(options: T): Step
}): StepType {
  return { ...type, compile: (options) => type.compile(type.options.parse(options)) }
}

/** How many values one step adds at most: an event with more is no log event of any known source. */
export const valuesMax = 500
