import { setMaxListeners } from 'node:events'
import { AppError, searchErrors } from '@logstack/errors'

/** What is known of a task when it begins. */
export interface TaskStart {
  /** As Elasticsearch names it: `indices:data/write/reindex`. */
  readonly action: string
  readonly description: string
  /** Whether `_tasks/_cancel` may end it. */
  readonly cancellable: boolean
  /** Headers that are handed on to whoever lists tasks: `X-Opaque-Id`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly parent?: Task
}

/** One thing search is doing. */
export interface Task extends TaskStart {
  /** Counts up from 1 with every task since the start. */
  readonly id: number
  readonly startedAtMs: number
  /** Aborts when the task is cancelled, with `task_cancelled_exception` as its reason. */
  readonly signal: AbortSignal
  /** How far it has come, as its API shows it; absent: nothing to tell. */
  status?: () => Readonly<Record<string, unknown>>
  /** Sets a new pace in documents a second (Infinity: none); absent: the task has no pace. */
  rethrottle?: (rate: number) => void
}

interface Running {
  readonly task: Task
  readonly controller: AbortController
  readonly ended: Promise<void>
  readonly end: () => void
}

/** The tasks that run now. */
export class Tasks {
  readonly #running = new Map<number, Running>()
  readonly #now: () => number
  #last = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Lists a task until `end` is called with it. A child of a cancelled task begins cancelled. */
  begin(start: TaskStart): Task {
    const controller = new AbortController()
    // Slices read side by side, each with a listener that goes when the read ends.
    setMaxListeners(0, controller.signal)
    const id = ++this.#last
    const task: Task = { ...start, id, startedAtMs: this.#now(), signal: controller.signal }
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#running.set(id, { task, controller, ended, end })
    if (start.parent?.signal.aborted) controller.abort(start.parent.signal.reason)
    return task
  }

  /** Takes a task from the list. */
  end(task: Task): void {
    this.#running.get(task.id)?.end()
    this.#running.delete(task.id)
  }

  /** The task of that number while it runs. */
  get(id: number): Task | undefined {
    return this.#running.get(id)?.task
  }

  /** All tasks that run, oldest first. */
  list(): readonly Task[] {
    return [...this.#running.values()].map(({ task }) => task)
  }

  /** The tasks that a task began, oldest first. */
  children(parent: Task): readonly Task[] {
    return this.list().filter((task) => task.parent === parent)
  }

  /** Asks a task and those it began to end. Throws `illegal_argument_exception` for one that cannot. */
  cancel(task: Task, reason: string): void {
    if (!task.cancellable) {
      throw new AppError(searchErrors.illegal_argument_exception, `task [${task.id}] doesn't support cancellation`)
    }
    const error = new AppError(searchErrors.task_cancelled_exception, `task cancelled [${reason}]`)
    for (const one of [task, ...this.children(task)]) this.#running.get(one.id)?.controller.abort(error)
  }

  /** Resolves when a task has ended, or after `timeoutMs`; tells whether it ended. */
  async ended(task: Task, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const running = this.#running.get(task.id)
    if (!running) return true
    let stop: () => void = () => undefined
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    const timer = setTimeout(stop, timeoutMs)
    signal.addEventListener('abort', stop)
    await Promise.race([running.ended, stopped])
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
    return !this.#running.has(task.id)
  }
}

const made = new WeakMap<object, Tasks>()

/** The tasks of one running search. */
export function tasksOf(services: { readonly now: () => number }): Tasks {
  const known = made.get(services)
  if (known) return known
  const tasks = new Tasks(services.now)
  made.set(services, tasks)
  return tasks
}
