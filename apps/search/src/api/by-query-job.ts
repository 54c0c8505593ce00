import { isAppError } from '@logstack/errors'
import { printJson } from '../plan/json.ts'
import type { Services } from '../services.ts'
import { showTask, taskId } from '../tasks/show-task.ts'
import { keepTaskResult } from '../tasks/task-result.ts'
import { type Task, tasksOf } from '../tasks/tasks.ts'
import { type ByQueryAnswer, type ByQueryMatch, type ByQueryOptions, runByQuery } from './by-query-run.ts'
import type { RouteAnswer, RouteRequest } from './define-route.ts'
import { renderCause } from './render-error.ts'

/** A by-query job that is ready to run. */
export interface ByQueryJob {
  readonly action: string
  readonly description: string
  readonly match: ByQueryMatch
  readonly options: ByQueryOptions
}

/**
 * Runs a job as a task. With `wait_for_completion=false` the answer is the task's id, and the job goes on when the client is gone: its own
 * answer is kept for `_tasks/{id}`.
 */
export async function runJob(services: Services, request: RouteRequest, job: ByQueryJob): Promise<RouteAnswer> {
  const { action, description, match, options } = job
  const tasks = tasksOf(services)
  const task = tasks.begin({ action, description, cancellable: true, headers: request.taskHeaders })
  if (request.query['wait_for_completion'] === false) {
    void runApart(services, task, job).finally(() => tasks.end(task))
    return { json: { task: taskId(services, task) } }
  }
  try {
    const signal = AbortSignal.any([task.signal, request.signal])
    const { status, json } = await runByQuery(services, task, match, options, signal)
    return { status, jsonBytes: Buffer.from(printJson(json)) }
  } finally {
    tasks.end(task)
  }
}

/** Never rejects: what goes wrong is the kept answer, and what cannot be kept is logged. */
async function runApart(services: Services, task: Task, { match, options }: ByQueryJob): Promise<void> {
  const outcome = await settled(runByQuery(services, task, match, options, task.signal))
  if ('error' in outcome && !isAppError(outcome.error)) {
    services.logger.error({ err: outcome.error, action: task.action }, 'a by-query job failed')
  }
  const result =
    'error' in outcome ? { error: renderCause(outcome.error) } : { response: (outcome satisfies ByQueryAnswer).json }
  const shown = { completed: true, task: showTask(services, task, true), ...result }
  try {
    await keepTaskResult(services, taskId(services, task), printJson(shown))
  } catch (thrown) {
    services.logger.error({ err: thrown, action: task.action }, 'the answer of a by-query job could not be kept')
  }
}

async function settled<T>(work: Promise<T>): Promise<T | { readonly error: unknown }> {
  try {
    return await work
  } catch (thrown) {
    return { error: thrown }
  }
}
