/** How a script must fail: while it is compiled or while it runs, with Elasticsearch's type of the cause, its words, and where. */
export interface Fault {
  readonly stage: 'compile' | 'runtime'
  readonly type: string
  readonly reason?: string
  /** The offset in the script that `script_stack` points at. */
  readonly at?: number
}

/** A script of no document, and what `_scripts/painless/_execute` answers: its result as Java prints it, or a fault. */
export type PlainCase = readonly [script: string, expected: string | Fault, params?: Readonly<Record<string, unknown>>]

/** A fault while a script runs. */
export function fails(type: string, reason?: string, at?: number): Fault {
  return fault('runtime', type, reason, at)
}

/** A fault before a script runs. */
export function refused(reason: string, at?: number, type = 'illegal_argument_exception'): Fault {
  return fault('compile', type, reason, at)
}

function fault(stage: Fault['stage'], type: string, reason?: string, at?: number): Fault {
  return { stage, type, ...(reason === undefined ? {} : { reason }), ...(at === undefined ? {} : { at }) }
}
