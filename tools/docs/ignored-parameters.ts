import type { Route } from '../../apps/search/src/api/define-route.ts'
import { routes } from '../../apps/search/src/api/index.ts'
import { aggregations } from '../../apps/search/src/dsl/aggregations/index.ts'
import { queryClauses } from '../../apps/search/src/dsl/queries/index.ts'
import { fieldTypes } from '../../apps/search/src/indices/field-types/index.ts'
import { parametersOf } from './schema-parameters.ts'

/** Parameters that are read and change nothing: where, who sends them, and why nothing is lost. */
interface Ignored {
  readonly of: 'aggregations' | 'endpoints' | 'field types' | 'query clauses'
  readonly parameters: readonly string[]
  readonly sentBy: string
  readonly because: string
}

const ignored: readonly Ignored[] = [
  {
    of: 'aggregations',
    parameters: ['execution_hint', 'collect_mode'],
    sentBy: "Kibana's controls, Fleet",
    because: 'ways to the same answer',
  },
  {
    of: 'aggregations',
    parameters: ['precision_threshold', 'compression'],
    sentBy: 'Grafana, Kibana',
    because: 'counts and percentiles are exact where these say how inexact they may be',
  },
  {
    of: 'aggregations',
    parameters: ['shard_min_doc_count'],
    sentBy: 'Kibana',
    because: 'all of an index is one shard',
  },
  {
    of: 'endpoints',
    parameters: [
      ...['batched_reduce_size', 'ccs_minimize_roundtrips', 'max_concurrent_shard_requests', 'max_concurrent_searches'],
      ...['min_compatible_shard_node', 'pre_filter_shard_size', 'search_type', 'stats'],
    ],
    sentBy: 'Kibana, Grafana, the language clients',
    because: 'they steer shards of several nodes; what is no value of theirs is refused',
  },
  {
    of: 'endpoints',
    parameters: ['preference', 'ignore_throttled'],
    sentBy: 'Kibana, Grafana',
    because: 'there is one copy of everything',
  },
  {
    of: 'endpoints',
    parameters: ['master_timeout', 'cluster_manager_timeout', 'local', 'wait_for_active_shards', 'timeout'],
    sentBy: 'Vector, winston-elasticsearch, Beats, Terraform',
    because: 'the one node answers at once; but for `timeout` of searches, which holds',
  },
  {
    of: 'endpoints',
    parameters: ['include_source_on_error', 'type'],
    sentBy: "OpenTelemetry's exporter; the clients before Elasticsearch 8",
    because:
      'errors never show sources; `_type` and `_parent` of bulk actions, as Fluent Bit and rsyslog send them, are ignored likewise',
  },
  {
    of: 'field types',
    parameters: ['eager_global_ordinals', 'norms', 'similarity'],
    sentBy: "the templates of Beats and of Elastic's packages",
    because: 'they lay out files of Lucene, or name a formula of scores; scores are BM25',
  },
  {
    of: 'query clauses',
    parameters: ['rewrite', 'max_determinized_states'],
    sentBy: 'Kibana, pySigma',
    because: 'ways to the same answer; patterns are bounded otherwise',
  },
]

/** The table of what is accepted and ignored. Throws for a parameter that nothing of its kind takes any more. */
export function ignoredTable(): string {
  const taken: Readonly<Record<Ignored['of'], ReadonlySet<string>>> = {
    aggregations: new Set([...aggregations.values()].flatMap(({ schema }) => parametersOf(schema))),
    endpoints: new Set(routes.flatMap(({ parameters }: Route) => Object.keys(parameters))),
    'field types': new Set(fieldTypes.flatMap(({ parameters }) => parametersOf(parameters))),
    'query clauses': new Set([...queryClauses.values()].flatMap(({ schema }) => parametersOf(schema))),
  }
  const rows = ignored.map(({ of, parameters, sentBy, because }) => {
    const gone = parameters.filter((name) => !taken[of].has(name))
    if (gone.length > 0) throw new Error(`${of} take no ${gone.join(', ')} any more: tools/docs/ignored-parameters.ts`)
    return `| ${of} | ${parameters.map((name) => `\`${name}\``).join(', ')} | ${sentBy} | ${because} |`
  })
  return `| of | accepted and ignored | sent by | because |\n|---|---|---|---|\n${rows.join('\n')}`
}
