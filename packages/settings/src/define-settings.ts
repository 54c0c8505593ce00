import type { z } from 'zod'

/** When a changed value takes effect: at once on SIGHUP, or at the part's next start. */
export type Applies = 'live' | 'restart'

/** One key of a part's settings file: its schema, default, when a change applies, and one sentence for the operator. */
export interface Setting<T = unknown> {
  readonly schema: z.ZodType<T>
  readonly default: T
  readonly applies: Applies
  readonly doc: string
}

export type SettingTable = Readonly<Record<string, Setting>>

/** The values of a settings table, keyed as the table is (`http.port`). */
export type SettingValues<T extends SettingTable> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never
}

/** All settings of one part. The file `config/<part>.yml` explains each key; a test holds the two together. */
export interface SettingsDefinition<T extends SettingTable = SettingTable> {
  readonly part: string
  readonly table: T
}

/** Declares one setting. Keys put the unit last (`flush_interval_ms`). */
export function setting<T>(schema: z.ZodType<T>, rest: { default: T; applies: Applies; doc: string }): Setting<T> {
  return { schema, ...rest }
}

/** Declares the settings of a part. */
export function defineSettings<const T extends SettingTable>(part: string, table: T): SettingsDefinition<T> {
  return { part, table }
}
