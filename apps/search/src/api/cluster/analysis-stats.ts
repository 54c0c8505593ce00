import { readSetting } from '../../analysis/analysis.ts'
import { Options } from '../../analysis/options.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { FieldMapping, Mapping } from '../../model/mapping.ts'

const kinds = ['char_filter', 'tokenizer', 'filter', 'analyzer'] as const
type Kind = (typeof kinds)[number]
const ownPart = /^analysis\.(char_filter|tokenizer|filter|analyzer)\.([^.]+)\.(.+)$/u
const analyzerParameters = ['analyzer', 'search_analyzer', 'search_quote_analyzer'] as const

/** How often something is used, and by which indices. */
class Uses {
  readonly #counts = new Map<string, { count: number; readonly indices: Set<number> }>()

  add(name: string, index: IndexMeta): void {
    const known = this.#counts.get(name) ?? { count: 0, indices: new Set<number>() }
    known.count++
    known.indices.add(index.id)
    this.#counts.set(name, known)
  }

  show(): { name: string; count: number; index_count: number }[] {
    return [...this.#counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { count, indices }]) => ({ name, count, index_count: indices.size }))
  }
}

type Parts = Readonly<Record<Kind, ReadonlyMap<string, Readonly<Record<string, unknown>>>>>

/** The parts that an index defines, by kind and name. */
function ownParts({ settings }: IndexMeta): Parts {
  const own = {
    char_filter: new Map<string, Record<string, unknown>>(),
    tokenizer: new Map<string, Record<string, unknown>>(),
    filter: new Map<string, Record<string, unknown>>(),
    analyzer: new Map<string, Record<string, unknown>>(),
  }
  for (const [key, value] of Object.entries(settings)) {
    const [, kind, name = '', option = ''] = ownPart.exec(key) ?? []
    const known = own[kind as Kind]
    if (known === undefined) continue
    known.set(name, { ...known.get(name), [option]: readSetting(value) })
  }
  return own
}

function* leavesOf(properties: Mapping['properties']): Iterable<FieldMapping> {
  for (const field of Object.values(properties ?? {})) {
    yield field
    yield* leavesOf(field.properties)
    yield* leavesOf(field.fields)
  }
}

type Use = readonly [kind: Kind, name: string]

function* partsUsed(own: Parts): Iterable<Use> {
  for (const analyzer of own.analyzer.values()) {
    const options = new Options(analyzer)
    for (const kind of ['char_filter', 'filter'] as const)
      for (const name of options.list(kind) ?? []) yield [kind, String(name)]
    if (analyzer['tokenizer'] !== undefined) yield ['tokenizer', String(analyzer['tokenizer'])]
  }
}

function* analyzersUsed({ mapping }: IndexMeta): Iterable<Use> {
  for (const field of leavesOf(mapping.properties))
    for (const parameter of analyzerParameters) {
      const name = field[parameter]
      if (typeof name === 'string') yield ['analyzer', name]
    }
}

/** What of text analysis indices define themselves, by type, and what they use that is built in, as `_cluster/stats` counts it. */
export function analysisStats(indices: readonly IndexMeta[]): Record<string, unknown> {
  const types = { char_filter: new Uses(), tokenizer: new Uses(), filter: new Uses(), analyzer: new Uses() }
  const builtIn = { char_filter: new Uses(), tokenizer: new Uses(), filter: new Uses(), analyzer: new Uses() }
  for (const index of indices) {
    const own = ownParts(index)
    for (const kind of kinds)
      for (const { type = kind === 'analyzer' ? 'custom' : '' } of own[kind].values())
        types[kind].add(String(type), index)
    for (const [kind, name] of [...partsUsed(own), ...analyzersUsed(index)])
      if (!own[kind].has(name)) builtIn[kind].add(name, index)
  }
  return {
    ...Object.fromEntries(kinds.map((kind) => [`${kind}_types`, types[kind].show()])),
    ...Object.fromEntries(kinds.map((kind) => [`built_in_${kind}s`, builtIn[kind].show()])),
  }
}
