import type { EnrichTables } from '../enrich/lookup.ts'
import type { Principal } from '../model/scope.ts'
import type { Script, StoredScripts } from '../painless/script.ts'
import type { GeoDatabases } from './geo/databases.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** A pipeline ready to run. */
export interface Pipeline {
  readonly id: string
  readonly steps: readonly Step[]
  readonly onFailure: readonly Step[]
}

/** One processor of a pipeline with what surrounds it. */
export interface Step {
  readonly type: string
  readonly tag: string | undefined
  readonly description: string | undefined
  readonly condition: { readonly source: string; readonly holds: (document: IngestDocument) => boolean } | undefined
  readonly ignoreFailure: boolean
  readonly onFailure: readonly Step[]
  readonly process: Process
}

/** What becomes of one processor, for `_simulate?verbose`. */
export interface StepResult {
  readonly step: Step
  readonly status: 'success' | 'error' | 'error_ignored' | 'skipped' | 'dropped'
  readonly error?: unknown
  /** Whether the document is shown: not for a pipeline that only begins, nor for one that was dropped. */
  readonly shown: boolean
}

/** What becomes of a document: it goes on, is taken out, or leaves the pipeline it is in; after `reroute` all that it is in. */
export type Outcome = 'keep' | 'drop' | 'terminate' | 'reroute'

/** What a run knows beside the document. */
export interface PipelineRun {
  /** The pipeline of that name; undefined when there is none. */
  find(id: string): Pipeline | undefined
  /** The pipelines the document is in now, outermost first. */
  readonly inside: string[]
  /** Hears of every processor that ran. */
  readonly watch?: (result: StepResult, document: IngestDocument) => void
  readonly nowMs: number
  /** Who sent the document; undefined when nobody did. */
  readonly principal?: Principal | undefined
  /** The processor that is about to begin another pipeline. */
  beginning?: Step | undefined
}

/** Changes a document. Faults are thrown. */
export type Process = (document: IngestDocument, run: PipelineRun) => Outcome

/** What pipelines draw on beside the document. */
export interface PipelineSources {
  /** The source of a script kept under a name. */
  readonly scripts: StoredScripts
  /** The databases of places and networks. */
  readonly databases: GeoDatabases
  /** The tables of enrich policies. */
  readonly enrich: EnrichTables
}

/** What a processor may need while it is built. */
export interface Building {
  readonly databases: GeoDatabases
  readonly enrich: EnrichTables
  /** Throws `script_exception`. */
  compileScript(script: unknown): Script
  /** Compiles the condition of a processor. Throws `script_exception`. */
  compileCondition(script: unknown): (ctx: object) => boolean
  /** Builds a processor that stands inside another. */
  step(entry: unknown): Step
  /** Runs a step that stands inside another. */
  runSteps(steps: readonly Step[], document: IngestDocument, run: PipelineRun): Outcome
  /** Runs another pipeline. Throws `illegal_state_exception` when the document is in it already. */
  runPipeline(pipeline: Pipeline, document: IngestDocument, run: PipelineRun): Outcome
}

/** A type of processor: one file of `processors/` and one line of its registry. */
export interface ProcessorType {
  /** The wire keyword. */
  readonly type: string
  /** Reads the options. Throws `parse_exception`. */
  build(config: ProcessorConfig, building: Building): Process
}

/** Declares a processor that never drops a document. */
export function defineProcessor(
  type: string,
  build: (config: ProcessorConfig, building: Building) => (document: IngestDocument, run: PipelineRun) => void,
): ProcessorType {
  return {
    type,
    build(config, building) {
      const change = build(config, building)
      return (document, run) => {
        change(document, run)
        return 'keep'
      }
    },
  }
}
