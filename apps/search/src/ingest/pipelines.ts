import { enrichTables } from '../enrich/lookup.ts'
import type { Catalogue } from '../indices/catalogue.ts'
import { buildPipeline } from './build-pipeline.ts'
import type { Pipeline, PipelineSources } from './define-processor.ts'
import { type GeoDatabases, noGeoDatabases } from './geo/databases.ts'

/** A pipeline as it is stored. */
export type PipelineDefinition = Readonly<Record<string, unknown>>

/** What pipelines did since the start. */
export interface PipelineCount {
  count: number
  failed: number
  timeMs: number
}

const compiledMax = 1000

/** The stored pipelines, compiled once each, and what they did. */
export interface Pipelines {
  /** The pipeline of that name ready to run; undefined when there is none. */
  find(id: string): Pipeline | undefined
  /** Counters of a pipeline; made when there are none. */
  counter(id: string): PipelineCount
  /** The counters of every pipeline that ran. */
  counters(): readonly (readonly [id: string, count: PipelineCount])[]
}

const made = new WeakMap<Catalogue, Pipelines>()

/** The pipelines of a catalogue. */
export function pipelinesOf(catalogue: Catalogue): Pipelines {
  const known = made.get(catalogue)
  if (known) return known
  const pipelines = createPipelines(catalogue)
  made.set(catalogue, pipelines)
  return pipelines
}

/** The source of a script kept under a name. */
export function storedScripts(catalogue: Catalogue): (id: string) => string | undefined {
  return (id) => catalogue.collection<{ readonly source: string }>('script').get(id)?.source
}

const databases = new WeakMap<Catalogue, GeoDatabases>()

/** Gives the pipelines of a catalogue the databases of places and networks; without, every one of them is missing. */
export function useGeoDatabases(catalogue: Catalogue, given: GeoDatabases): void {
  databases.set(catalogue, given)
}

/** What the pipelines of a catalogue are built from. */
export function pipelineSources(catalogue: Catalogue): PipelineSources {
  return {
    scripts: storedScripts(catalogue),
    databases: databases.get(catalogue) ?? noGeoDatabases,
    enrich: enrichTables(catalogue, catalogue),
  }
}

function createPipelines(catalogue: Catalogue): Pipelines {
  const compiled = new Map<string, { readonly text: string; readonly pipeline: Pipeline }>()
  const counters = new Map<string, PipelineCount>()
  return {
    find(id) {
      const definition = catalogue.collection<PipelineDefinition>('ingest_pipeline').get(id)
      if (!definition) return undefined
      const text = JSON.stringify(definition)
      const before = compiled.get(id)
      if (before?.text === text) return before.pipeline
      const pipeline = buildPipeline(id, definition, pipelineSources(catalogue))
      if (compiled.size >= compiledMax) compiled.clear()
      // A stored script may change under its name.
      if (!text.includes('"id"')) compiled.set(id, { text, pipeline })
      return pipeline
    },
    counter(id) {
      const counter = counters.get(id) ?? { count: 0, failed: 0, timeMs: 0 }
      counters.set(id, counter)
      return counter
    },
    counters: () => [...counters],
  }
}
