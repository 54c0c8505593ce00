import type { IndexMeta } from '../../../model/index-meta.ts'
import type { Services } from '../../../services.ts'

/** What an action works with. */
export type ActionContext = Pick<
  Services,
  'engine' | 'catalogue' | 'documents' | 'store' | 'now' | 'logger' | 'repositoryFolders' | 's3'
>

/** `done`: go on with the next action; `waits`: ask again later, the text says for what; `gone`: the index is no more. */
export type ActionOutcome = 'done' | 'gone' | { readonly waits: string }

/** One action of a lifecycle policy. */
export interface LifecycleAction {
  readonly name: string
  /** The step that explain shows while it is at work, Elasticsearch's name of it. */
  readonly step: string
  /** Throws `illegal_argument_exception` when its options cannot be used. */
  check(options: Readonly<Record<string, unknown>>): void
  /** Does what is left to do; harmless when it was done already. What it throws stops the index with an error until it is tried again. */
  run(index: IndexMeta, options: Readonly<Record<string, unknown>>, context: ActionContext): Promise<ActionOutcome>
}

/** Declares an action; `index.ts` lists it. */
export function defineAction(action: LifecycleAction): LifecycleAction {
  return action
}
