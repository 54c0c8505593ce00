import { fitsStars } from '@logstack/rules'
import { standardSettings } from '../../indices/settings.ts'
import { nestedNames } from '../../json/nested-names.ts'
import type { AliasMeta, IndexMeta, IndexSettings } from '../../model/index-meta.ts'
import { apiVersion } from './root.ts'

/** Flat settings as the nested object Elasticsearch shows: `{ index: { number_of_shards: "1", mapping: { … } } }`. */
export function nestedSettings(settings: IndexSettings): { index: Record<string, unknown> } {
  const sorted = Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))
  return { index: nestedNames(sorted.map(([name, value]) => [name, shownValue(value)])) }
}

/** Lists are kept as JSON of texts. */
function shownValue(value: string): unknown {
  if (!value.startsWith('["') && value !== '[]') return value
  try {
    const list: unknown = JSON.parse(value)
    return Array.isArray(list) ? list : value
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return value
    throw thrown
  }
}

/** Settings with their dates and versions also as people read them, for `human`. */
export function humanSettings(settings: IndexSettings): IndexSettings {
  const { creation_date, 'version.created': created } = settings
  return {
    ...settings,
    ...(creation_date === undefined ? {} : { creation_date_string: new Date(Number(creation_date)).toISOString() }),
    ...(created === undefined ? {} : { 'version.created_string': apiVersion.number }),
  }
}

/** Flat settings with the `index.` prefix, for `flat_settings`. */
function flatSettings(settings: IndexSettings): Record<string, unknown> {
  return shownSettings(Object.fromEntries(Object.entries(settings).map(([name, value]) => [`index.${name}`, value])))
}

/** Flat settings under their own names, their lists as lists. */
export function shownSettings(settings: IndexSettings): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, shownValue(value)]))
}

/** Settings as a request asks for them: nested, or under their full names. */
export function showSettings(settings: IndexSettings, flat: boolean): Record<string, unknown> {
  return flat ? flatSettings(settings) : nestedSettings(settings)
}

/** What the settings come to that an index was not given and that steer this engine, for `include_defaults`. */
export function defaultSettings(given: IndexSettings): IndexSettings {
  return Object.fromEntries(Object.entries(standardSettings).filter(([name]) => !Object.hasOwn(given, name)))
}

/** The aliases of an index as its APIs show them. */
export function shownAliases(aliases: Readonly<Record<string, AliasMeta>>): Record<string, AliasMeta> {
  return Object.fromEntries(Object.entries(aliases).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether a name matches comma-separated names with `*`; after a pattern `-name` takes away from what was found before it. */
export function nameMatcher(expression: string | undefined): (name: string) => boolean {
  if (expression === undefined || expression === '' || expression === '_all') return () => true
  let patternSeen = false
  const rules = expression.split(',').map((text) => {
    const takesAway = patternSeen && text.startsWith('-')
    patternSeen ||= text.includes('*') || text === '_all'
    return { takesAway, pattern: text === '_all' ? '*' : takesAway ? text.slice(1) : text }
  })
  return (name) => {
    let matches = false
    for (const { takesAway, pattern } of rules) if (fitsStars(name, pattern)) matches = !takesAway
    return matches
  }
}

/** An object with one entry an index, in the order given. */
export function byIndex<T>(indices: readonly IndexMeta[], show: (index: IndexMeta) => T): Record<string, T> {
  return Object.fromEntries(indices.map((index) => [index.name, show(index)]))
}
