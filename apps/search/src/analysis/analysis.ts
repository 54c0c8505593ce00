import type { IndexSettings } from '../model/index-meta.ts'
import {
  type Analyzer,
  analyze,
  type FilterText,
  type FilterTokens,
  type NamedPart,
  type Tokenize,
} from '../tokens/token.ts'
import { builtInAnalyzers } from './built-in-analyzers.ts'
import { charFilters } from './char-filters/index.ts'
import type { Component } from './component.ts'
import { tokenFilters } from './filters/index.ts'
import { type AnalysisLimits, analysisLimits, type Definition, illegalOption, Options } from './options.ts'
import { tokenizers } from './tokenizers/index.ts'

type Kind = 'analyzer' | 'normalizer' | 'tokenizer' | 'filter' | 'char_filter'

/** The parts a custom analyzer of a request or of settings names; each is a name or, in requests, a definition. */
export interface CustomDefinition {
  readonly tokenizer?: unknown
  readonly filter?: readonly unknown[]
  readonly char_filter?: readonly unknown[]
}

/** The default of `position_increment_gap`. */
const positionGapDefault = 100

/** What the settings of one index make of analysis. Every look-up throws `illegal_argument_exception` for what cannot be made. */
export class Analysis {
  readonly #definitions = new Map<Kind, Map<string, Record<string, unknown>>>()
  readonly #made = new Map<string, Analyzer | undefined>()

  readonly #limits: AnalysisLimits
  /** Filters that are being put together, so that none is a part of itself. */
  readonly #open = new Set<string>()

  constructor(settings: IndexSettings) {
    this.#limits = {
      ngramDiff: Number(settings['max_ngram_diff'] ?? analysisLimits.ngramDiff),
      shingleDiff: Number(settings['max_shingle_diff'] ?? analysisLimits.shingleDiff),
    }
    for (const [name, value] of Object.entries(settings)) {
      const found = /^analysis\.(analyzer|normalizer|tokenizer|filter|char_filter)\.([^.]+)\.(.+)$/u.exec(name)
      if (!found) continue
      const [, kind, part, option] = found as unknown as [string, Kind, string, string]
      const parts = this.#definitions.get(kind) ?? new Map<string, Record<string, unknown>>()
      this.#definitions.set(kind, parts)
      parts.set(part, { ...parts.get(part), [option]: readSetting(value) })
    }
  }

  /** The analyzer of that name: the index's own or a built-in one; undefined when there is none. `default` is `standard` unless defined. */
  analyzer(name: string): Analyzer | undefined {
    if (!this.#made.has(name)) this.#made.set(name, this.#makeAnalyzer(name))
    return this.#made.get(name)
  }

  /** Throws what is wrong with an analyzer or normalizer of the index's own, whether a field uses it or not. */
  check(): void {
    for (const name of this.#definitions.get('analyzer')?.keys() ?? []) this.analyzer(name)
    for (const name of this.#definitions.get('normalizer')?.keys() ?? []) this.normalizer(name)
  }

  /** The normalizer of that name: `lowercase`, or the index's own; the whole text is its one word. */
  normalizer(name: string): Analyzer | undefined {
    const own = this.#definitions.get('normalizer')?.get(name)
    if (!own && name !== 'lowercase') return undefined
    const filters = own ? new Options(own).list('filter') : ['lowercase']
    this.checkNormalizing(filters ?? [], ` [${name}]`)
    return {
      ...this.custom({
        tokenizer: 'keyword',
        filter: filters ?? [],
        char_filter: (own && new Options(own).list('char_filter')) ?? [],
      }),
      name,
    }
  }

  /** Refuses filters that a normalizer may not have, as they do not keep its text one word; `label` names the normalizer. */
  checkNormalizing(filters: readonly unknown[], label: string): void {
    for (const each of filters) {
      const own = this.#definitions.get('filter')?.get(String(each))
      const type = typeof each === 'object' && each !== null ? Reflect.get(each, 'type') : (own?.['type'] ?? each)
      const isKnown = tokenFilters.has(componentName(String(type)))
      if (isKnown && !normalizing.test(componentName(String(type))))
        throw illegalOption(
          `Custom normalizer${label} may not use filter [${typeof each === 'object' ? `__anonymous__${String(type)}` : String(each)}]`,
        )
    }
  }

  /** Puts an analyzer together from the names and definitions of its parts. */
  custom(definition: CustomDefinition, name = '__custom__'): Analyzer {
    const { tokenizer = 'keyword', filter = [], char_filter: mapped = [] } = definition
    return {
      name,
      custom: true,
      charFilters: mapped.map((each) => this.charFilter(each)),
      tokenizer: this.tokenizer(tokenizer),
      filters: this.#filters(filter, tokenizer, mapped),
      positionGap: positionGapDefault,
    }
  }

  tokenizer(given: unknown): NamedPart<Tokenize> {
    return this.#part<Tokenize>('tokenizer', given, tokenizers, () => undefined)
  }

  charFilter(given: unknown): NamedPart<FilterText> {
    return this.#part<FilterText>('char_filter', given, charFilters, () => undefined)
  }

  /** Synonyms are cut by what stands before them. */
  #filters(given: readonly unknown[], tokenizer: unknown, mapped: readonly unknown[]): NamedPart<FilterTokens>[] {
    const charFilters = mapped.map((each) => this.charFilter(each))
    const made: NamedPart<FilterTokens>[] = []
    for (const each of given) {
      const before = { charFilters, tokenizer: this.tokenizer(tokenizer), filters: [...made] }
      const words = (text: string) => analyze(before, text).map((token) => token.text)
      made.push(this.#part<FilterTokens>('filter', each, tokenFilters, () => words))
    }
    return made
  }

  #part<Work>(
    kind: Kind,
    given: unknown,
    known: ReadonlyMap<string, Component<Work>>,
    find: Parameters<Component<Work>['create']>[1],
  ): NamedPart<Work> {
    if (typeof given === 'object' && given !== null) {
      const { type, ...definition } = given as Definition
      const component = known.get(componentName(String(type ?? '')))
      if (!component) throw illegalOption(`failed to find global ${labels[kind]} under [${String(type)}]`)
      const name = `__anonymous__${String(type)}`
      return {
        name,
        work: component.create(new Options(definition, this.#limits), find, (inner) => this.#filterOf(inner, name)),
      }
    }
    const name = String(given)
    const own = this.#definitions.get(kind)?.get(name)
    const component = known.get(componentName(own ? String(own['type'] ?? '') : name))
    if (own && !component) throw illegalOption(`Unknown ${labels[kind]} type [${String(own['type'])}] for [${name}]`)
    if (!component || (!own && component.needsOptions === true))
      throw illegalOption(`failed to find global ${labels[kind]} under [${name}]`)
    const work = component.create(new Options(own ?? {}, this.#limits), find, (inner) => this.#filterOf(inner, name))
    return { name, work }
  }

  /** The work of a filter within another. */
  #filterOf(given: unknown, outer: string): FilterTokens {
    if (this.#open.has(outer)) throw illegalOption(`filter [${outer}] is a part of itself`)
    this.#open.add(outer)
    try {
      return this.#part<FilterTokens>('filter', given, tokenFilters, () => undefined).work
    } finally {
      this.#open.delete(outer)
    }
  }

  #requireParts(name: string, kind: Kind, given: readonly unknown[], known: ReadonlyMap<string, unknown>): void {
    const own = this.#definitions.get(kind)
    const missing = given.find(
      (each) => typeof each !== 'object' && !own?.has(String(each)) && !known.has(componentName(String(each))),
    )
    if (missing !== undefined)
      throw illegalOption(`Custom Analyzer [${name}] failed to find ${kind} under name [${String(missing)}]`)
  }

  #makeAnalyzer(name: string): Analyzer | undefined {
    const own = this.#definitions.get('analyzer')?.get(name)
    const type = own ? String(own['type'] ?? 'custom') : name === 'default' ? 'standard' : name
    const options = new Options(own ?? {})
    const positionGap = options.whole('position_increment_gap', positionGapDefault)
    if (own && type === 'custom') {
      const tokenizer = own['tokenizer']
      if (tokenizer === undefined) throw illegalOption(`Custom Analyzer [${name}] must be configured with a tokenizer`)
      const parts = { tokenizer, filter: options.list('filter') ?? [], char_filter: options.list('char_filter') ?? [] }
      this.#requireParts(name, 'tokenizer', [tokenizer], tokenizers)
      this.#requireParts(name, 'filter', parts.filter, tokenFilters)
      this.#requireParts(name, 'char_filter', parts.char_filter, charFilters)
      return { ...this.custom(parts, name), positionGap }
    }
    const builtIn = builtInAnalyzers.get(type)
    if (!builtIn) {
      if (own) throw illegalOption(`Unknown analyzer type [${type}] for [${name}]`)
      return undefined
    }
    return {
      name,
      custom: false,
      charFilters: [],
      ...builtIn.create(
        options,
        () => undefined,
        (inner) => this.#filterOf(inner, name),
      ),
      positionGap,
    }
  }
}

/** Token filters that change a word and nothing else: those a normalizer may have. */
const normalizing =
  /^(?:asciifolding|cjk_width|decimal_digit|elision|lowercase|pattern_replace|scandinavian_folding|trim|uppercase|\w+_normalization)$/u

const labels: Readonly<Record<Kind, string>> = {
  analyzer: 'analyzer',
  normalizer: 'normalizer',
  tokenizer: 'tokenizer',
  filter: 'filter',
  char_filter: 'char_filter',
}

const oldNames: Readonly<Record<string, string>> = {
  nGram: 'ngram',
  edgeNGram: 'edge_ngram',
  PathHierarchy: 'path_hierarchy',
  porterStem: 'porter_stem',
  htmlStrip: 'html_strip',
}

function componentName(name: string): string {
  return Object.hasOwn(oldNames, name) ? (oldNames[name] ?? name) : name
}

/** Settings keep texts; a list may stand there as JSON. */
export function readSetting(value: string): unknown {
  if (!value.startsWith('[')) return value
  try {
    const read: unknown = JSON.parse(value)
    return Array.isArray(read) ? read : value
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return value
    throw thrown
  }
}

const bySettings = new WeakMap<IndexSettings, Analysis>()

/** The analysis of an index, made once for the same settings. */
export function analysisOf(settings: IndexSettings): Analysis {
  const known = bySettings.get(settings)
  if (known) return known
  const made = new Analysis(settings)
  bySettings.set(settings, made)
  return made
}
