import type { SettingsDefinition, SettingTable, SettingValues } from './define-settings.ts'
import { loadSettings } from './load-settings.ts'

/** What a reload found: keys now in effect, and keys that wait for a restart. */
export interface Reloaded {
  readonly applied: string[]
  readonly needRestart: string[]
}

/** The settings of a running part. `get` returns the value in effect; `reload` takes new live values, all or none. */
export class LiveSettings<T extends SettingTable> {
  readonly definition: SettingsDefinition<T>
  readonly #from: { file?: string | undefined; env?: NodeJS.ProcessEnv }
  #values: SettingValues<T>
  readonly #listeners = new Map<keyof T, Set<(value: never) => void>>()

  constructor(definition: SettingsDefinition<T>, from: { file?: string | undefined; env?: NodeJS.ProcessEnv }) {
    this.definition = definition
    this.#from = from
    this.#values = loadSettings(definition, from)
  }

  get<K extends keyof T>(key: K): SettingValues<T>[K] {
    return this.#values[key]
  }

  /** Calls `listener` with the new value each time a reload changes a live key. */
  onChange<K extends keyof T>(key: K, listener: (value: SettingValues<T>[K]) => void): void {
    const listeners = this.#listeners.get(key) ?? new Set()
    listeners.add(listener as (value: never) => void)
    this.#listeners.set(key, listeners)
  }

  /** Reads the file again. An invalid file throws and changes nothing. */
  reload(): Reloaded {
    const next = loadSettings(this.definition, this.#from)
    const changed = Object.keys(this.definition.table).filter(
      (key) => JSON.stringify(next[key]) !== JSON.stringify(this.#values[key]),
    )
    const applied = changed.filter((key) => this.definition.table[key]?.applies === 'live')
    const values: Record<string, unknown> = { ...this.#values }
    for (const key of applied) values[key] = next[key]
    this.#values = values as SettingValues<T>
    for (const key of applied) for (const listener of this.#listeners.get(key) ?? []) listener(next[key] as never)
    return { applied, needRestart: changed.filter((key) => !applied.includes(key)) }
  }
}
