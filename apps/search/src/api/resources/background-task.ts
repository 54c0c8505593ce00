import { isAppError } from '@logstack/errors'
import { printJson } from '../../json/print-json.ts'
import type { Services } from '../../services.ts'
import { showTask, taskId } from '../../tasks/show-task.ts'
import { keepTaskResult } from '../../tasks/task-result.ts'
import { type Task, tasksOf } from '../../tasks/tasks.ts'
import type { RouteAnswer, RouteRequest } from '../define-route.ts'
import { renderCause } from '../render-error.ts'

/** Parameters of changes that need not be waited for, as OpenSearch's clients send them; the time limit means nothing, as no change is cut off. */
export const completionParameters = { wait_for_completion: 'boolean', task_execution_timeout: 'time' } as const

/** Makes a change as a task; with `wait_for_completion=false` the answer is the task's id. */
export async function changeAsTask(
  services: Services,
  { query, taskHeaders }: RouteRequest,
  named: { readonly action: string; readonly description: string },
  work: (task: Task) => Promise<unknown>,
): Promise<RouteAnswer> {
  const tasks = tasksOf(services)
  const task = tasks.begin({ ...named, cancellable: false, headers: taskHeaders })
  if (query['wait_for_completion'] === false) return inBackground(services, task, () => work(task))
  try {
    return { json: await work(task) }
  } finally {
    tasks.end(task)
  }
}

/**
 * Answers with the id of a task whose work goes on when the client is gone; what the work resolves with, or its error, is kept for `_tasks/{id}`.
 * The task ends with it.
 */
export function inBackground(services: Services, task: Task, work: () => Promise<unknown>): RouteAnswer {
  void runApart(services, task, work).finally(() => tasksOf(services).end(task))
  return { json: { task: taskId(services, task) } }
}

/** Never rejects: what goes wrong is the kept answer, and what cannot be kept is logged. */
async function runApart(services: Services, task: Task, work: () => Promise<unknown>): Promise<void> {
  const outcome = await settled(work)
  if ('error' in outcome && !isAppError(outcome.error)) {
    services.logger.error({ err: outcome.error, action: task.action }, 'a task failed')
  }
  const result = 'error' in outcome ? { error: renderCause(outcome.error) } : outcome
  const shown = { completed: true, task: showTask(services, task, true), ...result }
  try {
    await keepTaskResult(services, taskId(services, task), printJson(shown))
  } catch (thrown) {
    services.logger.error({ err: thrown, action: task.action }, 'the answer of a task could not be kept')
  }
}

async function settled(
  work: () => Promise<unknown>,
): Promise<{ readonly response: unknown } | { readonly error: unknown }> {
  try {
    return { response: await work() }
  } catch (thrown) {
    return { error: thrown }
  }
}
