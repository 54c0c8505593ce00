import { fitsStars } from '@logstack/rules'
import { shardOf } from '../../indices/shard-of.ts'
import { shardsOf } from '../../indices/shards.ts'
import { isObject } from '../../json/json-object.ts'
import { Double, printJson } from '../../json/print-json.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { defineRoute } from '../define-route.ts'
import { indicesOf } from '../indices/index-admin.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'
import { describeNode } from '../resources/node.ts'

const boost = new Double(1)

/** A filter with what its short forms leave unsaid, as Elasticsearch shows it; clauses but `term` and `bool` are shown as they were written. */
function wholeFilter(filter: unknown): unknown {
  if (!isObject(filter)) return filter
  const { term, bool } = filter
  if (isObject(bool)) return { bool: { ...bool, adjust_pure_negative: true, boost } }
  const [written] = isObject(term) ? Object.entries(term) : []
  if (!written) return filter
  const [field, value] = written
  return { term: { [field]: { boost, ...(isObject(value) ? value : { value }) } } }
}

/** The aliases by which an expression reaches an index, and what they let through of it: nothing said is everything. */
function reachedBy(
  index: IndexMeta,
  expression: string,
): { readonly aliases?: readonly string[]; readonly filter?: unknown } {
  const asked = expression === '' || expression === '_all' ? ['*'] : expression.split(',')
  const reaches = (name: string) => asked.some((each) => fitsStars(name, each))
  const aliases = Object.keys(index.aliases).filter(reaches).sort()
  if (aliases.length === 0 || asked.includes('*')) return {}
  const filters = aliases.map((name) => index.aliases[name]?.filter)
  if (reaches(index.name) || filters.includes(undefined)) return { aliases }
  const [first] = filters
  if (filters.length === 1) return { aliases, filter: wholeFilter(first) }
  return { aliases, filter: { bool: { should: filters.map(wholeFilter), adjust_pure_negative: true, boost } } }
}

/** `_search_shards`: the indices and shards that a search would go to. */
export const searchShardsRoute = defineRoute({
  name: 'search_shards',
  methods: ['GET', 'POST'],
  paths: ['/_search_shards', '/{index}/_search_shards'],
  privilege: { index: 'view_index_metadata' },
  parameters: {
    ...indicesOptionParameters,
    preference: 'string',
    routing: 'list',
    local: 'boolean',
    master_timeout: 'time',
  },
  async handle(request, services) {
    const routing = request.query['routing'] as readonly string[] | undefined
    const found = indicesOf(request, services, 'search_shards', 'view_index_metadata', {
      expand: ['open'],
      forbidClosed: true,
    })
    const node = services.catalogue.clusterUuid
    const shards = found.flatMap((index) => {
      const wanted = routing && new Set(routing.map((each) => shardOf(index, each)))
      return Array.from({ length: shardsOf(index).primaries }, (_, shard) => shard)
        .filter((shard) => wanted?.has(shard) ?? true)
        .map((shard) => [{ state: 'STARTED', primary: true, node, relocating_node: null, shard, index: index.name }])
    })
    const expression = request.params['index'] ?? ''
    const indices = Object.fromEntries(found.map((index) => [index.name, reachedBy(index, expression)]))
    const json = { nodes: { [node]: describeNode(services) }, indices, shards }
    return { jsonBytes: Buffer.from(printJson(json)) }
  },
})
