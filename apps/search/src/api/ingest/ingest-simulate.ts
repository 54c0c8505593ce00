import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { buildPipeline } from '../../ingest/build-pipeline.ts'
import type { Pipeline, PipelineRun, Step, StepResult } from '../../ingest/define-processor.ts'
import { IngestDocument, javaType } from '../../ingest/ingest-document.ts'
import { pipelineSources, pipelinesOf } from '../../ingest/pipelines.ts'
import { runPipeline } from '../../ingest/run-steps.ts'
import { isObject } from '../../json/json-object.ts'
import { printJson } from '../../json/print-json.ts'
import { copySource } from '../../json/source-json.ts'
import type { Principal } from '../../model/scope.ts'
import { documentMost, leftBehind, type Most } from '../../painless/held-values.ts'
import { Turns } from '../../painless/turns.ts'
import type { Services } from '../../services.ts'
import { defineRoute, type RouteRequest } from '../define-route.ts'
import { objectBody, parseExactBody } from '../read-request.ts'
import { renderError } from '../render-error.ts'

type Dictionary = Readonly<Record<string, unknown>>

const simulated = '_simulate_pipeline'

function fault(property: string, reason: string): AppError {
  return new AppError(searchErrors.parse_exception, `[${property}] ${reason}`, { detail: { property_name: property } })
}

/** `POST /_ingest/pipeline/_simulate`: what a pipeline would make of documents; nothing is written. */
export const ingestSimulateRoute = defineRoute({
  name: 'ingest.simulate',
  methods: ['GET', 'POST'],
  paths: ['/_ingest/pipeline/_simulate', '/_ingest/pipeline/{id}/_simulate'],
  privilege: { cluster: 'read_pipeline' },
  parameters: { verbose: 'boolean' },
  async handle(request, services) {
    const body = objectBody(parseExactBody(request), 'simulate')
    const pipeline = pipelineOf(request, body, services)
    const { docs } = body
    if (docs === undefined) throw fault('docs', 'required property is missing')
    if (!Array.isArray(docs)) throw fault('docs', `property isn't a list, but of type [${javaType(docs)}]`)
    if (docs.length === 0)
      throw new AppError(searchErrors.illegal_argument_exception, 'must specify at least one document in [docs]')
    const nowMs = services.now()
    const read = docs.map((doc: unknown) => readDocument(doc, nowMs))
    const simulate = request.query['verbose'] === true ? simulateVerbose : simulateOne
    const turns = new Turns(request.signal)
    const shown: unknown[] = []
    let left: Most = documentMost
    for (const document of read) {
      const one = await turns.take(() => simulate(document, pipeline, request.scope.principal, services))
      left = leftFor(one, left)
      shown.push(one)
    }
    return { jsonBytes: Buffer.from(printJson({ docs: shown })) }
  },
})

/** How much further documents may hold. Throws `circuit_breaking_exception` for documents that are too large together: each may be as large as one may. */
function leftFor(shown: unknown, most: Most): Most {
  try {
    return leftBehind(shown, most)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    const reason = `[request] Data too large, the simulated documents would be larger than the limit of [${documentMost.letters}] characters`
    throw new AppError(searchErrors.circuit_breaking_exception, reason, { detail: { durability: 'TRANSIENT' } })
  }
}

function pipelineOf(request: RouteRequest, body: Dictionary, { catalogue }: Services): Pipeline {
  const id = request.params['id']
  if (id !== undefined) {
    const pipeline = pipelinesOf(catalogue).find(id)
    if (pipeline) return pipeline
    throw new AppError(searchErrors.illegal_argument_exception, `pipeline [${id}] does not exist`)
  }
  const { pipeline: definition } = body
  if (definition === undefined) throw fault('pipeline', 'required property is missing')
  if (!isObject(definition)) throw fault('pipeline', `property isn't a map, but of type [${javaType(definition)}]`)
  return buildPipeline(simulated, definition, pipelineSources(catalogue))
}

function readDocument(doc: unknown, nowMs: number): IngestDocument {
  if (!isObject(doc))
    throw new AppError(
      searchErrors.illegal_argument_exception,
      'malformed [docs] section, should include an inner object',
    )
  const {
    _index = '_index',
    _id = '_id',
    _routing,
    _version = -3,
    _version_type,
    _if_seq_no,
    _if_primary_term,
    _source,
  } = doc
  if (_source === undefined) throw fault('_source', 'required property is missing')
  if (!isObject(_source)) throw fault('_source', `property isn't a map, but of type [${javaType(_source)}]`)
  for (const [name, value] of Object.entries({ _version, _if_seq_no, _if_primary_term })) {
    if (value === undefined || typeof value === 'bigint' || Number.isInteger(value)) continue
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `Failed to parse parameter [${name}], only int or long is accepted`,
    )
  }
  const metadata = {
    _index: String(_index),
    _id: String(_id),
    _routing,
    _version,
    _version_type,
    _if_seq_no,
    _if_primary_term,
  }
  return new IngestDocument(copySource(_source), metadata, new Date(nowMs).toISOString())
}

function shown(document: IngestDocument): Dictionary {
  // Metadata is text here, whatever it is elsewhere.
  const metadata = Object.entries(document.metadata()).map(([key, value]) => [
    key,
    value === null ? null : String(value),
  ])
  return {
    doc: {
      ...Object.fromEntries(metadata),
      _source: copySource(document.source()),
      _ingest: copySource(document.ingest),
    },
  }
}

function shownError(thrown: unknown): Dictionary {
  return { error: renderError(thrown).body['error'] }
}

function simulateOne(
  document: IngestDocument,
  pipeline: Pipeline,
  principal: Principal,
  { catalogue, now }: Services,
): unknown {
  try {
    const outcome = runPipeline(pipeline, document, {
      find: pipelinesOf(catalogue).find,
      inside: [],
      nowMs: now(),
      principal,
    })
    return outcome === 'drop' ? null : shown(document)
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    return shownError(thrown)
  }
}

function simulateVerbose(
  document: IngestDocument,
  pipeline: Pipeline,
  principal: Principal,
  { catalogue, now }: Services,
): unknown {
  const results: Dictionary[] = []
  let outermost: { readonly at: number; readonly step: Step } | undefined
  const run: PipelineRun = {
    find: pipelinesOf(catalogue).find,
    inside: [],
    nowMs: now(),
    principal,
    watch(result) {
      if (result.step.type === 'pipeline' && run.inside.length === 1)
        outermost = { at: results.length, step: result.step }
      results.push(shownResult(result, document))
    },
  }
  try {
    runPipeline(pipeline, document, run)
  } catch (thrown) {
    // The last result tells of it, but a cycle is the fault of the pipeline that led into it.
    if (!isAppError(thrown)) throw thrown
    if (outermost && thrown.message.startsWith('Cycle detected')) {
      const { at, step } = outermost
      results.splice(at, results.length, shownResult({ step, status: 'error', error: thrown, shown: false }, document))
    }
  }
  return { processor_results: results }
}

function shownResult({ step, status, error, shown: withDocument }: StepResult, document: IngestDocument): Dictionary {
  return {
    processor_type: step.type,
    status,
    ...(step.description === undefined ? {} : { description: step.description }),
    ...(step.tag === undefined ? {} : { tag: step.tag }),
    ...(step.condition ? { if: { condition: step.condition.source, result: status !== 'skipped' } } : {}),
    ...(status === 'error_ignored' ? { ignored_error: shownError(error) } : {}),
    ...(status === 'error' ? shownError(error) : {}),
    ...(withDocument ? shown(document) : {}),
  }
}
