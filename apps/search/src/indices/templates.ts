import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { AliasMeta, DataStreamLifecycle, IndexSettings } from '../model/index-meta.ts'
import type { Mapping } from '../model/mapping.ts'
import type { Collection, Store } from '../store/store.ts'
import { scalarText } from '../values/scalar-text.ts'
import { parseAlias } from './aliases.ts'
import { matchesPattern, patternsCollide, patternsOverlap } from './index-names.ts'
import { keptEach } from './kept-from.ts'
import { mergeMappings } from './mapping-merge.ts'
import { parseMapping } from './mapping-parse.ts'
import { parseSettings } from './settings.ts'
import { parseStreamLifecycle } from './stream-lifecycle.ts'

type Json = Readonly<Record<string, unknown>>

/** What a new index gets from templates. */
export interface TemplateResult {
  readonly settings: IndexSettings
  readonly mappings: Mapping
  readonly aliases: Readonly<Record<string, AliasMeta>>
  readonly dataStream: boolean
  /** The index template it came from; legacy templates have no one name. */
  readonly name: string | undefined
  readonly hiddenStream: boolean
  /** Of a new data stream. */
  readonly lifecycle?: DataStreamLifecycle
}

/** `PUT /_index_template/{name}` as it is kept. */
interface IndexTemplate {
  readonly index_patterns: readonly string[]
  readonly priority?: number
  readonly composed_of?: readonly string[]
  readonly ignore_missing_component_templates?: readonly string[]
  readonly template?: Json
  readonly data_stream?: Json
}

/** `PUT /_template/{name}` as it is kept. */
interface LegacyTemplate extends Json {
  readonly index_patterns: readonly string[]
  readonly order?: number
}

interface Component {
  readonly template?: Json
}

/** What to simulate: a new index of a name, or a template by its name or as it is given. */
export interface SimulateRequest {
  readonly index?: string
  readonly template?: string | undefined
  /** A template that is not stored; under `template` it takes the place of the stored one. */
  readonly added?: unknown
}

/** What a template comes to, and the templates that would match too and lose. */
export interface SimulatedTemplate extends TemplateResult {
  readonly overlapping: readonly { readonly name: string; readonly index_patterns: readonly string[] }[]
}

/** Templates of the catalogue's store: index templates, component templates, legacy templates. */
export interface Templates {
  /** Throws `illegal_argument_exception` or `invalid_index_template_exception` when the template cannot be used. */
  put(name: string, template: unknown): Promise<void>
  find(index: string): TemplateResult | undefined
  /** Undefined when no template matches, or none has that name. Throws as `put` does. */
  simulate(request: SimulateRequest): SimulatedTemplate | undefined
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.map(scalarText) : typeof value === 'string' ? [value] : []
}

function illegal(reason: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, reason)
}

function aliasesOf(body: Json | undefined): Readonly<Record<string, AliasMeta>> {
  const aliases = body?.['aliases']
  if (!isObject(aliases)) return {}
  return Object.fromEntries(Object.entries(aliases).map(([name, alias]) => [name, parseAlias(name, alias)]))
}

interface Part {
  readonly settings: IndexSettings
  readonly mappings: Mapping
  readonly aliases: Readonly<Record<string, AliasMeta>>
  readonly lifecycle?: DataStreamLifecycle
}

const emptyPart: Part = { settings: {}, mappings: {}, aliases: {} }

function typeless(mappings: Json): Json {
  const inner = mappings['_doc']
  return isObject(inner) && Object.keys(mappings).length === 1 ? inner : mappings
}

function partOf(body: Json | undefined): Part {
  const [settings, mappings, lifecycle] = [body?.['settings'], body?.['mappings'], body?.['lifecycle']]
  return {
    ...(isObject(lifecycle) ? { lifecycle: parseStreamLifecycle(lifecycle) } : {}),
    settings: isObject(settings) ? parseSettings(settings) : {},
    mappings: isObject(mappings) ? parseMapping(typeless(mappings)) : {},
    aliases: aliasesOf(body),
  }
}

function mergeParts(parts: readonly Part[]): Part {
  const lifecycle = parts.findLast((part) => part.lifecycle !== undefined)?.lifecycle
  const merged = parts.reduce(
    (before, part) => ({
      settings: { ...before.settings, ...part.settings },
      mappings: mergeMappings(before.mappings, part.mappings, 'template'),
      aliases: { ...before.aliases, ...part.aliases },
    }),
    emptyPart,
  )
  return lifecycle === undefined ? merged : { ...merged, lifecycle }
}

function priorityOf(template: Pick<IndexTemplate, 'priority'>): number {
  return Number(template.priority ?? 0)
}

/** What the template's own body and its components come to. */
function composed(template: IndexTemplate, components: Pick<Collection<Component>, 'get'>): Part {
  const parts = (template.composed_of ?? []).map((name) => partOf(components.get(name)?.template))
  return mergeParts([...parts, partOf(template.template)])
}

function readTemplate(name: string, given: unknown): IndexTemplate {
  if (!isObject(given)) throw illegal(`index template [${name}] must be an object`)
  const patterns = textList(given['index_patterns'])
  if (patterns.length === 0) throw illegal('Required [index_patterns]')
  const dataStream = given['data_stream']
  if (dataStream !== undefined && !isObject(dataStream)) throw illegal('[data_stream] must be an object')
  const composedOf = given['composed_of']
  return {
    ...given,
    index_patterns: patterns,
    ...(composedOf === undefined ? {} : { composed_of: textList(composedOf) }),
  }
}

function checkComponents(name: string, template: IndexTemplate, components: Collection<Component>): void {
  const allowed = new Set(template.ignore_missing_component_templates ?? [])
  const missing = (template.composed_of ?? []).filter((one) => !allowed.has(one) && components.get(one) === undefined)
  if (missing.length > 0)
    throw new AppError(
      searchErrors.invalid_index_template_exception,
      `index_template [${name}] invalid, cause [index template [${name}] specifies component templates [${missing.join(', ')}] that do not exist]`,
    )
}

function checkOverlap(name: string, template: IndexTemplate, others: Iterable<readonly [string, Claim]>): void {
  const conflicts = [...others].filter(
    ([other, existing]) =>
      other !== name &&
      priorityOf(existing) === priorityOf(template) &&
      template.index_patterns.some((a) => existing.index_patterns.some((b) => patternsCollide(a, b))),
  )
  if (conflicts.length === 0) return
  conflicts.sort(([a], [b]) => (a < b ? -1 : 1))
  const list = (patterns: readonly string[]): string => `[${patterns.join(', ')}]`
  const shown = conflicts.map(([other, existing]) => `${other} => ${list(existing.index_patterns)}`).join(', ')
  throw illegal(
    `index template [${name}] has index patterns ${list(template.index_patterns)} matching patterns from existing templates [${conflicts
      .map(([other]) => other)
      .join(
        ',',
      )}] with patterns (${shown}) that have the same priority [${priorityOf(template)}], multiple index templates may not match during index creation, please use a different priority`,
  )
}

/** What decides whether a template is for an index. */
type Claim = Pick<IndexTemplate, 'index_patterns' | 'priority'>

const claimOf = ({ index_patterns, priority }: Claim): Claim => ({
  index_patterns,
  ...(priority === undefined ? {} : { priority }),
})

/**
 * The name of the template with the highest priority of those that match. Where several of one priority do, as the patterns of templates may that
 * are told apart by their letters, it is the one whose name comes first.
 */
function bestFor(index: string, templates: Iterable<readonly [string, Claim]>): string | undefined {
  let best: { readonly name: string; readonly priority: number } | undefined
  for (const [name, claim] of templates) {
    if (!claim.index_patterns.some((pattern) => matchesPattern(pattern, index))) continue
    const priority = priorityOf(claim)
    const isBetter = best === undefined || priority > best.priority || (priority === best.priority && name < best.name)
    if (isBetter) best = { name, priority }
  }
  return best?.name
}

/**
 * Throws what a component template is wrong for, or `illegal_argument_exception` when an index template that is composed of it could no longer be
 * put together.
 */
export function checkComponent(store: Store, name: string, given: Json): void {
  const components = store.collection<Component>('component_template')
  const body = given['template']
  partOf(isObject(body) ? body : undefined)
  const changed = {
    get: (one: string) => (one === name ? { template: isObject(body) ? body : {} } : components.get(one)),
  }
  for (const [user, template] of usersOf(store, name))
    try {
      composed(template, changed)
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown
      const reason = `updating component template [${name}] results in invalid composable template [${user}] after templates are merged`
      throw new AppError(searchErrors.illegal_argument_exception, reason, { cause: thrown })
    }
}

/** Throws what an index template is wrong for, once it is put together with its components. */
function checkComposed(name: string, template: IndexTemplate, components: Pick<Collection<Component>, 'get'>): void {
  try {
    composed(template, components)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    const isSetting = /^(?:unknown setting|private index setting|Failed to parse value)/u.test(thrown.message)
    if (isSetting) {
      const reason = `index_template [${name}] invalid, cause [Validation Failed: 1: ${thrown.message};]`
      throw new AppError(searchErrors.invalid_index_template_exception, reason)
    }
    if (thrown.code !== 'mapper_parsing_exception') throw thrown
    const invalid = new AppError(searchErrors.illegal_argument_exception, `invalid composite mappings for [${name}]`, {
      cause: thrown,
    })
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `composable template [${name}] template after composition is invalid`,
      { cause: invalid },
    )
  }
}

/** Throws `illegal_argument_exception` for component templates that index templates are composed of and cannot be without. */
export function checkUnused(store: Store, names: readonly string[]): void {
  const used = names.filter((name) => usersOf(store, name).length > 0)
  if (used.length === 0) return
  const users = [...new Set(used.flatMap((name) => usersOf(store, name).map(([user]) => user)))]
  throw illegal(
    `component templates [${used.join(',')}] cannot be removed as they are still in use by index templates [${users.join(',')}]`,
  )
}

function usersOf(store: Store, component: string): (readonly [name: string, template: IndexTemplate])[] {
  return [...store.collection<IndexTemplate>('index_template').entries()].filter(
    ([, { composed_of: parts = [], ignore_missing_component_templates: spared = [] }]) =>
      parts.includes(component) && !spared.includes(component),
  )
}

/** Templates kept in `store` under the collections `index_template`, `component_template` and `template`. */
export function createTemplates(store: Store): Templates {
  const templates = store.collection<IndexTemplate>('index_template')
  const components = store.collection<Component>('component_template')
  const legacy = store.collection<LegacyTemplate>('template')
  const claims = keptEach<IndexTemplate, Claim>(templates, claimOf)
  const legacyClaims = keptEach<LegacyTemplate, Claim>(legacy, claimOf)

  function resultOf(name: string, template: IndexTemplate): TemplateResult {
    return {
      ...composed(template, components),
      dataStream: template.data_stream !== undefined,
      name,
      hiddenStream: template.data_stream?.['hidden'] === true,
    }
  }

  function findComposable(index: string): TemplateResult | undefined {
    const name = bestFor(index, claims())
    const best = name === undefined ? undefined : templates.get(name)
    return name === undefined || best === undefined ? undefined : resultOf(name, best)
  }

  function simulate({ index, template: named, added }: SimulateRequest): SimulatedTemplate | undefined {
    const addedName = named ?? 'simulate_template'
    const others = new Map([...templates.entries()])
    if (added !== undefined) {
      const template = readTemplate(addedName, added)
      checkComponents(addedName, template, components)
      others.delete(addedName)
      checkOverlap(addedName, template, others)
      others.set(addedName, template)
    }
    const name = index === undefined ? addedName : bestFor(index, others)
    const chosen = name === undefined ? undefined : others.get(name)
    if (name === undefined || chosen === undefined) return undefined
    const patterns = index === undefined ? chosen.index_patterns : [index]
    const overlaps = (other: { readonly index_patterns: readonly string[] }): boolean =>
      other.index_patterns.some((a) => patterns.some((b) => patternsOverlap(a, b)))
    others.delete(name)
    const overlapping = [...legacy.entries(), ...others]
      .filter(([, other]) => overlaps(other))
      .map(([other, { index_patterns }]) => ({ name: other, index_patterns }))
    return { ...resultOf(name, chosen), overlapping }
  }

  function findLegacy(index: string): TemplateResult | undefined {
    const matching = [...legacyClaims()]
      .filter(([, { index_patterns }]) => index_patterns.some((pattern) => matchesPattern(pattern, index)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name]) => legacy.get(name) ?? [])
      .sort((a, b) => Number(a.order ?? 0) - Number(b.order ?? 0))
    if (matching.length === 0) return undefined
    return { ...mergeParts(matching.map(partOf)), dataStream: false, name: undefined, hiddenStream: false }
  }

  return {
    async put(name, given) {
      const template = readTemplate(name, given)
      await store.transaction(() => {
        checkComponents(name, template, components)
        checkOverlap(name, template, claims())
        // Whatever a new index would refuse is refused here already.
        checkComposed(name, template, components)
        templates.put(name, template)
      })
    },
    find: (index) => findComposable(index) ?? findLegacy(index),
    simulate,
  }
}
