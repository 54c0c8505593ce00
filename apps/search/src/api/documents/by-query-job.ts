import { printJson } from '../../json/print-json.ts'
import type { Services } from '../../services.ts'
import { tasksOf } from '../../tasks/tasks.ts'
import type { RouteAnswer, RouteRequest } from '../define-route.ts'
import { inBackground } from '../resources/background-task.ts'
import { type ByQueryMatch, type ByQueryOptions, runByQuery } from './by-query-run.ts'

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
    return inBackground(
      services,
      task,
      async () => (await runByQuery(services, task, match, options, task.signal)).json,
    )
  }
  try {
    const signal = AbortSignal.any([task.signal, request.signal])
    const { status, json } = await runByQuery(services, task, match, options, signal)
    return { status, jsonBytes: Buffer.from(printJson(json)) }
  } finally {
    tasks.end(task)
  }
}
