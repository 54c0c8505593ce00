import { AppError, searchErrors } from '@logstack/errors'
import { printJson } from '../../json/print-json.ts'
import type { Services } from '../../services.ts'
import { showTask, showTasks, type TaskGrouping, taskId } from '../../tasks/show-task.ts'
import { readTaskResult } from '../../tasks/task-result.ts'
import { type Task, tasksOf } from '../../tasks/tasks.ts'
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '../define-route.ts'
import { readRate } from '../documents/by-query-parameters.ts'
import { nameMatcher } from '../resources/show-index.ts'

const waitMsDefault = 30_000

/** A value as bytes of JSON, doubles with their decimal point. */
function printed(value: unknown): RouteAnswer {
  return { jsonBytes: Buffer.from(printJson(value)) }
}

/** Reads `node:number`. Throws `illegal_argument_exception` for anything else. */
function parseTaskId(text: string): { readonly node: string; readonly id: number } {
  const [, node, id] = /^(.+):(-?\d+)$/.exec(text) ?? []
  if (node === undefined) throw new AppError(searchErrors.illegal_argument_exception, `malformed task id ${text}`)
  return { node, id: Number(id) }
}

const filterParameters = { nodes: 'list', node_id: 'list', actions: 'list', parent_task_id: 'string' } as const

/** The running tasks that a request's filters leave. */
function filtered(request: RouteRequest, services: Services): readonly Task[] {
  const { nodes, node_id, actions, parent_task_id } = request.query
  const asked = (nodes ?? node_id) as readonly string[] | undefined
  const wantsNode = nameMatcher(asked?.join(','))
  if (![services.catalogue.clusterUuid, services.nodeName, '_local', '_master', '127.0.0.1'].some(wantsNode)) return []
  const wants = nameMatcher((actions as readonly string[] | undefined)?.join(','))
  const parent = typeof parent_task_id === 'string' ? parseTaskId(parent_task_id) : undefined
  return tasksOf(services)
    .list()
    .filter((task) => wants(task.action) && (parent === undefined || isChildOf(services, task, parent)))
}

function isChildOf(services: Services, task: Task, parent: { readonly node: string; readonly id: number }): boolean {
  return task.parent?.id === parent.id && parent.node === services.catalogue.clusterUuid
}

const listTasks = defineRoute({
  name: 'tasks.list',
  methods: ['GET'],
  paths: ['/_tasks'],
  privilege: { cluster: 'monitor' },
  parameters: {
    ...filterParameters,
    detailed: 'boolean',
    wait_for_completion: 'boolean',
    group_by: ['nodes', 'parents', 'none'],
    timeout: 'time',
    master_timeout: 'time',
  },
  async handle(request, services) {
    const { query } = request
    const tasks = filtered(request, services)
    if (query['wait_for_completion'] === true) {
      const timeoutMs = (query['timeout'] as number | undefined) ?? waitMsDefault
      // The list itself is a task of the list, and would wait for itself.
      const others = tasks.filter(({ action }) => action !== 'cluster:monitor/tasks/lists')
      await Promise.all(others.map((task) => tasksOf(services).ended(task, timeoutMs, request.signal)))
    }
    const groupBy = (query['group_by'] as TaskGrouping | undefined) ?? 'nodes'
    return printed(showTasks(services, tasks, { detailed: query['detailed'] === true, groupBy }))
  },
})

function notFound(text: string): AppError {
  return new AppError(
    searchErrors.resource_not_found_exception,
    `task [${text}] isn't running and hasn't stored its results`,
  )
}

function notOfThisNode(text: string, node: string): AppError {
  const reason = `task [${text}] belongs to the node [${node}] which isn't part of the cluster and there is no record of the task`
  return new AppError(searchErrors.resource_not_found_exception, reason, { cause: notFound(text) })
}

const getTask = defineRoute({
  name: 'tasks.get',
  methods: ['GET'],
  paths: ['/_tasks/{task_id}'],
  privilege: { cluster: 'monitor' },
  parameters: { wait_for_completion: 'boolean', timeout: 'time' },
  async handle(request, services) {
    const text = request.params['task_id'] ?? ''
    const { node, id } = parseTaskId(text)
    if (node !== services.catalogue.clusterUuid) throw notOfThisNode(text, node)
    const tasks = tasksOf(services)
    const task = tasks.get(id)
    if (task) {
      const { wait_for_completion, timeout } = request.query
      const waitMs = wait_for_completion === true ? ((timeout as number | undefined) ?? waitMsDefault) : 0
      const ended = waitMs > 0 && (await tasks.ended(task, waitMs, request.signal))
      if (!ended && waitMs > 0) {
        throw new AppError(searchErrors.request_timeout_exception, `Timed out waiting for completion of [${text}]`)
      }
      if (!ended) return printed({ completed: false, task: showTask(services, task, true) })
    }
    const kept = await readTaskResult(services, text)
    if (!kept) throw notFound(text)
    return { jsonBytes: kept }
  },
})

const cancelTasks = defineRoute({
  name: 'tasks.cancel',
  methods: ['POST'],
  paths: ['/_tasks/_cancel', '/_tasks/{task_id}/_cancel'],
  privilege: { cluster: 'manage' },
  parameters: { ...filterParameters, wait_for_completion: 'boolean', timeout: 'time' },
  async handle(request, services) {
    const tasks = tasksOf(services)
    const text = request.params['task_id']
    const found = text === undefined ? filtered(request, services) : oneOf(services, text)
    if ('missing' in found) return printed(missingOnNode(found.node, found.missing))
    const cancelled = text === undefined ? found.filter(({ cancellable }) => cancellable) : found
    for (const task of cancelled) tasks.cancel(task, 'by user request')
    if (request.query['wait_for_completion'] === true) {
      const timeoutMs = (request.query['timeout'] as number | undefined) ?? waitMsDefault
      await Promise.all(cancelled.map((task) => tasks.ended(task, timeoutMs, request.signal)))
    }
    return printed(showTasks(services, cancelled, { detailed: true, groupBy: 'nodes' }))
  },
})

type Found = readonly Task[] | { readonly node: string; readonly missing: string }

/** The one running task of that id. */
function oneOf(services: Services, text: string): Found {
  const { node, id } = parseTaskId(text)
  const task = node === services.catalogue.clusterUuid ? tasksOf(services).get(id) : undefined
  return task ? [task] : { node, missing: `task [${text}] is not found` }
}

/** How an operation over tasks tells that the one it was for is not there. */
function missingOnNode(node: string, reason: string): Record<string, unknown> {
  const cause = { type: 'resource_not_found_exception', reason }
  const failure = { type: 'failed_node_exception', reason: `Failed node [${node}]`, node_id: node, caused_by: cause }
  return { node_failures: [failure], nodes: {} }
}

const rethrottle = defineRoute({
  name: 'reindex_rethrottle',
  methods: ['POST'],
  paths: [
    '/_reindex/{task_id}/_rethrottle',
    '/_update_by_query/{task_id}/_rethrottle',
    '/_delete_by_query/{task_id}/_rethrottle',
  ],
  privilege: { cluster: 'manage' },
  parameters: { requests_per_second: 'string', group_by: ['nodes', 'parents', 'none'] },
  async handle(request, services) {
    const given = request.query['requests_per_second']
    if (given === undefined) {
      throw new AppError(
        searchErrors.illegal_argument_exception,
        'requests_per_second is a required parameter: it must be a float greater than 0 or -1',
      )
    }
    const rate = readRate(given)
    const text = request.params['task_id'] ?? ''
    const found = oneOf(services, text)
    if ('missing' in found) return printed(missingOnNode(found.node, found.missing))
    for (const task of found) {
      if (!task.rethrottle) {
        const reason = `task [${taskId(services, task)}] is no by-query request: it has no pace`
        throw new AppError(searchErrors.illegal_argument_exception, reason)
      }
      task.rethrottle(rate)
    }
    const groupBy = (request.query['group_by'] as TaskGrouping | undefined) ?? 'nodes'
    return printed(showTasks(services, found, { detailed: true, groupBy }))
  },
})

/** What search is doing, and how to end or slow it. */
export const taskRoutes: readonly Route[] = [listTasks, getTask, cancelTasks, rethrottle]
