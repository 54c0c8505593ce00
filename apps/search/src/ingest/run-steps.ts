import { AppError, isAppError, messageOf, searchErrors } from '@logstack/errors'
import { documentMost, refuseHuge } from '../painless/held-values.ts'
import { scriptLimits, usedUp } from '../painless/script-run.ts'
import { unfit } from '../refusals/unfit.ts'
import type { Outcome, Pipeline, PipelineRun, Step, StepResult } from './define-processor.ts'
import type { IngestDocument } from './ingest-document.ts'

/** Pipelines that a document may be in at once: Elasticsearch's. */
const pipelinesDeepMax = 100
const failureKeys = [
  'on_failure_message',
  'on_failure_processor_type',
  'on_failure_processor_tag',
  'on_failure_pipeline',
]

/** Runs processors one after the other, up to one that ends the document's way. Throws what the last one that failed threw. */
export function runSteps(steps: readonly Step[], document: IngestDocument, run: PipelineRun): Outcome {
  for (const step of steps) {
    const outcome = runStep(step, document, run)
    if (outcome !== 'keep') return outcome
  }
  return 'keep'
}

function runStep(step: Step, document: IngestDocument, run: PipelineRun): Outcome {
  const tell = (status: StepResult['status'], shown: boolean, error?: unknown): void =>
    run.watch?.({ step, status, shown, ...(error === undefined ? {} : { error }) }, document)
  checkUsed()
  try {
    if (step.condition && !step.condition.holds(document)) {
      tell('skipped', false)
      return 'keep'
    }
    run.beginning = step.type === 'pipeline' ? step : undefined
    const outcome = step.process(document, run)
    if (outcome === 'drop') tell('dropped', false)
    // A pipeline is told of when it begins.
    else if (step.type !== 'pipeline') tell('success', true)
    return outcome
  } catch (failure) {
    // No processor mends this: the next one would only go on.
    checkUsed()
    const thrown = asFault(failure)
    if (step.ignoreFailure) {
      tell('error_ignored', true, thrown)
      return 'keep'
    }
    if (!alreadyTold(step, run, thrown)) tell('error', false, thrown)
    if (step.onFailure.length === 0) throw thrown
    return recover(step.onFailure, step, thrown, document, run)
  }
}

/** Throws `illegal_argument_exception` for a document that takes more than one script may: nobody else is answered meanwhile. */
function checkUsed(): void {
  const used = usedUp()
  if (used === 'time') throw unfit(`the pipelines of a document may run for at most [${scriptLimits.runMsMax}ms]`)
  if (used === 'memory')
    throw unfit(`the pipelines of a document may hold at most [${scriptLimits.heapBytesMax}] bytes`)
}

/** Refuses what nobody could print: a value that stands in many places is small in memory. */
function refuseHugeResult(document: IngestDocument): void {
  try {
    refuseHuge(document.ctx, documentMost)
  } catch (thrown) {
    throw asFault(thrown)
  }
}

/** What a processor threw; texts and lists that cannot be made any longer, and values nested too deeply, are faults of the document. */
function asFault(thrown: unknown): unknown {
  return thrown instanceof RangeError ? unfit(`the document became too large: ${thrown.message}`) : thrown
}

const told = new WeakSet<object>()

/** Whether this error was told of by the processor inside the pipeline that passes it on. */
function alreadyTold(step: Step, run: PipelineRun, thrown: unknown): boolean {
  if (!run.watch || typeof thrown !== 'object' || thrown === null) return false
  const before = told.has(thrown)
  told.add(thrown)
  return before && step.type === 'pipeline'
}

/** Runs what stands under `on_failure`, which finds the fault in `_ingest`. */
function recover(
  steps: readonly Step[],
  failed: Pick<Step, 'type' | 'tag'>,
  thrown: unknown,
  document: IngestDocument,
  run: PipelineRun,
): Outcome {
  document.ingest['on_failure_message'] = messageOf(thrown)
  document.ingest['on_failure_processor_type'] = failed.type
  if (failed.tag !== undefined) document.ingest['on_failure_processor_tag'] = failed.tag
  const inside = run.inside.at(-1)
  if (inside !== undefined) document.ingest['on_failure_pipeline'] = inside
  try {
    return runSteps(steps, document, run)
  } finally {
    for (const key of failureKeys) delete document.ingest[key]
  }
}

/** The processor a fault of a pipeline came from. */
const origins = new WeakMap<object, Pick<Step, 'type' | 'tag'>>()

/** Runs a pipeline with its `on_failure`. Throws `illegal_state_exception` when the document is in it already. */
export function runPipeline(pipeline: Pipeline, document: IngestDocument, run: PipelineRun): Outcome {
  if (run.inside.includes(pipeline.id)) {
    throw new AppError(searchErrors.illegal_state_exception, `Cycle detected for pipeline: ${pipeline.id}`)
  }
  if (run.inside.length >= pipelinesDeepMax)
    throw new AppError(
      searchErrors.illegal_state_exception,
      `Too many nested pipelines. Cannot have more than ${pipelinesDeepMax} nested pipelines`,
    )
  if (run.beginning) run.watch?.({ step: run.beginning, status: 'success', shown: false }, document)
  run.beginning = undefined
  run.inside.push(pipeline.id)
  const outer = document.ingest['pipeline']
  document.ingest['pipeline'] = pipeline.id
  try {
    const outcome = runWithRecovery(pipeline, document, run)
    if (run.inside.length === 1) refuseHugeResult(document)
    // The pipelines around this one go on.
    return outcome === 'terminate' ? 'keep' : outcome
  } finally {
    run.inside.pop()
    if (outer === undefined) delete document.ingest['pipeline']
    else document.ingest['pipeline'] = outer
  }
}

function runWithRecovery(pipeline: Pipeline, document: IngestDocument, run: PipelineRun): Outcome {
  for (const step of pipeline.steps) {
    try {
      const outcome = runStep(step, document, run)
      if (outcome !== 'keep') return outcome
    } catch (thrown) {
      if (isAppError(thrown) && !origins.has(thrown)) origins.set(thrown, step)
      if (pipeline.onFailure.length === 0) throw thrown
      const origin = (isAppError(thrown) ? origins.get(thrown) : undefined) ?? step
      return recover(pipeline.onFailure, origin, thrown, document, run)
    }
  }
  return 'keep'
}
