import type { Services } from '../services.ts'
import { type Task, tasksOf } from './tasks.ts'

/** The id of a task as clients see it: `node:number`. */
export function taskId({ catalogue }: Pick<Services, 'catalogue'>, task: Pick<Task, 'id'>): string {
  return `${catalogue.clusterUuid}:${task.id}`
}

/** The kinds of tasks that are told apart from requests of clients: those began by another task. */
function typeOf(task: Task): string {
  return task.parent ? 'direct' : 'transport'
}

/** A task as `_tasks` shows it; `detailed` with what it works on and how far it has come. */
export function showTask(services: Services, task: Task, detailed: boolean): Record<string, unknown> {
  return {
    node: services.catalogue.clusterUuid,
    id: task.id,
    type: typeOf(task),
    action: task.action,
    ...(detailed && task.status ? { status: task.status() } : {}),
    ...(detailed ? { description: task.description } : {}),
    start_time_in_millis: task.startedAtMs,
    running_time_in_nanos: Math.max(0, services.now() - task.startedAtMs) * 1_000_000,
    cancellable: task.cancellable,
    ...(task.cancellable ? { cancelled: task.signal.aborted } : {}),
    ...(task.parent ? { parent_task_id: taskId(services, task.parent) } : {}),
    headers: task.headers ?? {},
  }
}

/** How a list of tasks is cut up. */
export type TaskGrouping = 'nodes' | 'parents' | 'none'

/** A list of tasks as `_tasks`, `_cancel` and `_rethrottle` answer it. */
export function showTasks(
  services: Services,
  tasks: readonly Task[],
  { detailed, groupBy }: { readonly detailed: boolean; readonly groupBy: TaskGrouping },
): Record<string, unknown> {
  const show = (task: Task): Record<string, unknown> => showTask(services, task, detailed)
  if (groupBy === 'none') return { tasks: tasks.map(show) }
  if (groupBy === 'parents') {
    const listed = new Set(tasks)
    const withChildren = (task: Task): Record<string, unknown> => {
      const children = tasksOf(services)
        .children(task)
        .filter((child) => listed.has(child))
      return { ...show(task), ...(children.length > 0 ? { children: children.map(withChildren) } : {}) }
    }
    const roots = tasks.filter(({ parent }) => !parent || !listed.has(parent))
    return { tasks: Object.fromEntries(roots.map((task) => [taskId(services, task), withChildren(task)])) }
  }
  if (tasks.length === 0) return { nodes: {} }
  const node = {
    name: services.nodeName,
    transport_address: '127.0.0.1:9300',
    host: '127.0.0.1',
    ip: '127.0.0.1:9300',
    roles: ['data', 'ingest', 'master'],
    tasks: Object.fromEntries(tasks.map((task) => [taskId(services, task), show(task)])),
  }
  return { nodes: { [services.catalogue.clusterUuid]: node } }
}
