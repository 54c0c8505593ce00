import { AppError, searchErrors } from '@logstack/errors'
import { buildPipeline } from '../../ingest/build-pipeline.ts'
import { type PipelineDefinition, pipelineSources } from '../../ingest/pipelines.ts'
import { legacyPatterns } from '../../patterns/grok/legacy-patterns.ts'
import { grokPatterns } from '../../patterns/grok/patterns.ts'
import { defineRoute, type Route } from '../define-route.ts'
import { objectBody } from '../read-request.ts'
import { nameMatcher } from '../resources/show-index.ts'

const timeouts = { timeout: 'time', master_timeout: 'time', cluster_manager_timeout: 'time' } as const

const getPipeline = defineRoute({
  name: 'ingest.get_pipeline',
  methods: ['GET'],
  paths: ['/_ingest/pipeline', '/_ingest/pipeline/{id}'],
  privilege: { cluster: 'read_pipeline' },
  parameters: { ...timeouts, summary: 'boolean' },
  async handle(request, services) {
    const id = request.params['id']
    const wanted = nameMatcher(id)
    const found = [...services.catalogue.collection<PipelineDefinition>('ingest_pipeline').entries()].filter(([key]) =>
      wanted(key),
    )
    const shown = found.map(([key, definition]) => [key, request.query['summary'] === true ? {} : definition])
    return { status: found.length === 0 && id !== undefined ? 404 : 200, json: Object.fromEntries(shown) }
  },
})

const putPipeline = defineRoute({
  name: 'ingest.put_pipeline',
  methods: ['PUT'],
  paths: ['/_ingest/pipeline/{id}'],
  privilege: { cluster: 'manage_pipeline' },
  parameters: { ...timeouts, if_version: 'integer' },
  async handle(request, services) {
    const definition = objectBody(request.json(), 'pipeline')
    const id = request.params['id'] ?? ''
    buildPipeline(id, definition, pipelineSources(services.catalogue))
    const kept = services.catalogue.collection<PipelineDefinition>('ingest_pipeline')
    const expected = request.query['if_version']
    await services.store.transaction(() => {
      const before = kept.get(id)
      if (expected !== undefined && before?.['version'] !== expected) {
        const has = before ? `version [${String(before['version'] ?? null)}]` : 'no pipeline'
        throw new AppError(
          searchErrors.illegal_argument_exception,
          `version conflict, required version [${String(expected)}] for pipeline [${id}] but found ${has}`,
        )
      }
      kept.put(id, definition)
    })
    return { json: { acknowledged: true } }
  },
})

const deletePipeline = defineRoute({
  name: 'ingest.delete_pipeline',
  methods: ['DELETE'],
  paths: ['/_ingest/pipeline/{id}'],
  privilege: { cluster: 'manage_pipeline' },
  parameters: timeouts,
  async handle(request, services) {
    const id = request.params['id'] ?? ''
    const wanted = nameMatcher(id)
    const kept = services.catalogue.collection<PipelineDefinition>('ingest_pipeline')
    const found = [...kept.entries()].filter(([key]) => wanted(key))
    // Only the pattern for everything may find nothing.
    if (found.length === 0 && id !== '*') {
      throw new AppError(searchErrors.resource_not_found_exception, `pipeline [${id}] is missing`)
    }
    await services.store.transaction(() => {
      for (const [key] of found) kept.remove(key)
    })
    return { json: { acknowledged: true } }
  },
})

const grok = defineRoute({
  name: 'ingest.processor_grok',
  methods: ['GET'],
  paths: ['/_ingest/processor/grok'],
  privilege: { cluster: 'monitor' },
  parameters: { s: 'boolean', ecs_compatibility: ['v1', 'disabled'] },
  async handle(request) {
    const entries = Object.entries(request.query['ecs_compatibility'] === 'v1' ? grokPatterns : legacyPatterns)
    if (request.query['s'] === true) entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return { json: { patterns: Object.fromEntries(entries) } }
  },
})

/** Ingest pipelines as they are stored. */
export const ingestPipelineRoutes: readonly Route[] = [getPipeline, putPipeline, deletePipeline, grok]
