import { AppError, searchErrors } from '@logstack/errors'
import { defineRoute, type Route, type RouteRequest } from '../define-route.ts'
import { type CatColumn, catAnswer, catParameters } from './table.ts'

/** A table of something that this stack does not have: as Elasticsearch shows it where there is none. */
interface AbsentTable {
  /** As routes and paths name it: `ml/datafeeds`. */
  readonly name: string
  readonly privilege: string
  /** Columns in their order, each with its aliases. */
  readonly shown: readonly string[]
  /** Those that only `h` shows. */
  readonly hidden: readonly string[]
  readonly parameters: Readonly<Record<string, 'boolean' | 'integer'>>
  /** What is said of one that is asked for by its id. */
  readonly missing: (id: string) => string
}

const node = [
  'node.id ni nodeId',
  'node.name nn nodeName',
  'node.ephemeral_id ne nodeEphemeralId',
  'node.address na nodeAddress',
]

const jobs: AbsentTable = {
  name: 'ml/anomaly_detectors',
  privilege: 'monitor_ml',
  shown: [
    'id',
    'state s',
    'data.processed_records dpr dataProcessedRecords',
    'model.bytes mb modelBytes',
    'model.memory_status mms modelMemoryStatus',
    'forecasts.total ft forecastsTotal',
    'buckets.count bc bucketsCount',
  ],
  hidden: [
    'opened_time ot',
    'assignment_explanation ae',
    'data.processed_fields dpf dataProcessedFields',
    'data.input_bytes dib dataInputBytes',
    'data.input_records dir dataInputRecords',
    'data.input_fields dif dataInputFields',
    'data.invalid_dates did dataInvalidDates',
    'data.missing_fields dmf dataMissingFields',
    'data.out_of_order_timestamps doot dataOutOfOrderTimestamps',
    'data.empty_buckets deb dataEmptyBuckets',
    'data.sparse_buckets dsb dataSparseBuckets',
    'data.buckets db dataBuckets',
    'data.earliest_record der dataEarliestRecord',
    'data.latest_record dlr dataLatestRecord',
    'data.last dl dataLast',
    'data.last_empty_bucket dleb dataLastEmptyBucket',
    'data.last_sparse_bucket dlsb dataLastSparseBucket',
    'model.bytes_exceeded mbe modelBytesExceeded',
    'model.memory_limit mml modelMemoryLimit',
    'model.by_fields mbf modelByFields',
    'model.over_fields mof modelOverFields',
    'model.partition_fields mpf modelPartitionFields',
    'model.bucket_allocation_failures mbaf modelBucketAllocationFailures',
    'model.categorization_status mcs modelCategorizationStatus',
    'model.categorized_doc_count mcdc modelCategorizedDocCount',
    'model.total_category_count mtcc modelTotalCategoryCount',
    'model.frequent_category_count mfcc modelFrequentCategoryCount',
    'model.rare_category_count mrcc modelRareCategoryCount',
    'model.dead_category_count mdcc modelDeadCategoryCount',
    'model.failed_category_count modelFailedCategoryCount',
    'model.log_time mlt modelLogTime',
    'model.timestamp mt modelTimestamp',
    ...['memory', 'records', 'time'].flatMap((what) =>
      ['min', 'max', 'avg', 'total'].map(
        (figure) =>
          `forecasts.${what}.${figure} f${what.charAt(0)}${figure === 'total' ? 't' : figure} forecasts${capital(what)}${capital(figure)}`,
      ),
    ),
    ...node,
    'buckets.time.total btt bucketsTimeTotal',
    'buckets.time.min btmin bucketsTimeMin',
    'buckets.time.max btmax bucketsTimeMax',
    'buckets.time.exp_avg btea bucketsTimeExpAvg',
    'buckets.time.exp_avg_hour bteah bucketsTimeExpAvgHour',
  ],
  parameters: { allow_no_match: 'boolean', allow_no_jobs: 'boolean' },
  missing: (id) => `No known job with id '${id}'`,
}

const datafeeds: AbsentTable = {
  name: 'ml/datafeeds',
  privilege: 'monitor_ml',
  shown: ['id', 'state s', 'buckets.count bc bucketsCount', 'search.count sc searchCount'],
  hidden: [
    'assignment_explanation ae',
    'search.time st searchTime',
    'search.bucket_avg sba searchBucketAvg',
    'search.exp_avg_hour seah searchExpAvgHour',
    ...node,
  ],
  parameters: { allow_no_match: 'boolean', allow_no_datafeeds: 'boolean' },
  missing: (id) => `No datafeed with id [${id}] exists`,
}

const analytics: AbsentTable = {
  name: 'ml/data_frame/analytics',
  privilege: 'monitor_ml',
  shown: ['id', 'create_time ct createTime', 'type t', 'state s'],
  hidden: [
    'version v',
    'source_index si sourceIndex',
    'dest_index di destIndex',
    'description d',
    'model_memory_limit mml modelMemoryLimit',
    'failure_reason fr failureReason',
    'progress p',
    'assignment_explanation ae',
    ...node,
  ],
  parameters: { allow_no_match: 'boolean' },
  missing: (id) => `No known data frame analytics with id [${id}]`,
}

const models: AbsentTable = {
  name: 'ml/trained_models',
  privilege: 'monitor_ml',
  shown: [
    'id',
    'heap_size hs modelHeapSize',
    'operations o modelOperations',
    'create_time ct',
    'type',
    'ingest.pipelines ip ingestPipelines',
    'data_frame.id dfid dataFrameAnalytics',
  ],
  hidden: [
    'created_by c createdBy',
    'version v',
    'description d',
    'license l',
    'ingest.count ic ingestCount',
    'ingest.time it ingestTime',
    'ingest.current icurr ingestCurrent',
    'ingest.failed if ingestFailed',
    'data_frame.create_time dft dataFrameAnalyticsTime',
    'data_frame.source_index dfsi dataFrameAnalyticsSrcIndex',
    'data_frame.analysis dfa dataFrameAnalyticsAnalysis',
  ],
  parameters: { allow_no_match: 'boolean', from: 'integer', size: 'integer' },
  missing: (id) => `No known trained model with model_id [${id}]`,
}

const transforms: AbsentTable = {
  name: 'transforms',
  privilege: 'monitor_transform',
  shown: [
    'id',
    'state s',
    'checkpoint cp',
    'documents_processed docp documentsProcessed',
    'checkpoint_progress c checkpointProgress',
    'changes_last_detection_time cldt',
  ],
  hidden: [
    'last_search_time lst lastSearchTime',
    'create_time ct createTime',
    'version v',
    'source_index si sourceIndex',
    'dest_index di destIndex',
    'pipeline p',
    'description d',
    'transform_type tt',
    'frequency f',
    'max_page_search_size mpsz',
    'docs_per_second dps',
    'reason r',
    'search_total st',
    'search_failure sf',
    'search_time stime',
    'index_total it',
    'index_failure if',
    'index_time itime',
    'documents_indexed doci',
    'processing_time pt',
    'trigger_count tc',
    'pages_processed pp',
    'checkpoint_duration_time_exp_avg cdtea checkpointTimeExpAvg',
    'indexed_documents_exp_avg idea',
    'processed_documents_exp_avg pdea',
  ],
  parameters: { allow_no_match: 'boolean', from: 'integer', size: 'integer' },
  missing: (id) => `Transform with id [${id}] could not be found`,
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

function columnOf(text: string, shown: boolean): CatColumn<never> {
  const [name = '', ...aliases] = text.split(' ')
  return { name, aliases, description: name.replaceAll(/[._]/g, ' '), shown, cell: () => undefined }
}

/** Throws `resource_not_found_exception` for an id, and for a pattern that must find one. */
function refuseNamed({ params, query }: RouteRequest, missing: AbsentTable['missing']): void {
  const asked = params['id'] ?? '_all'
  const mustFind = ['allow_no_match', 'allow_no_jobs', 'allow_no_datafeeds'].some((name) => query[name] === false)
  const isPattern = (id: string): boolean => id === '_all' || id.includes('*')
  const named = asked.split(',').find((id) => mustFind || !isPattern(id))
  if (named !== undefined) throw new AppError(searchErrors.resource_not_found_exception, missing(named))
}

/** Tables of machine learning and transforms, which other programs ask for before they use them: no rows, and no id is known. */
export const absentTables: readonly Route[] = [jobs, datafeeds, analytics, models, transforms].map((table) => {
  const columns = [
    ...table.shown.map((text) => columnOf(text, true)),
    ...table.hidden.map((text) => columnOf(text, false)),
  ]
  return defineRoute({
    name: `cat.${table.name.replaceAll('/', '_')}`,
    methods: ['GET'],
    paths: [`/_cat/${table.name}`, `/_cat/${table.name}/{id}`],
    privilege: { cluster: table.privilege },
    parameters: { ...catParameters, ...table.parameters },
    async handle(request) {
      if (request.query['help'] !== true) refuseNamed(request, table.missing)
      return catAnswer(request, columns, () => [])
    },
  })
})
