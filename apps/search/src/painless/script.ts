import { AppError, searchErrors } from '@logstack/errors'
import type { ParsedScript } from './ast.ts'
import { compileParsed } from './compile-statement.ts'
import { keepsSource } from './document-context.ts'
import { Names } from './frame.ts'
import { isStackEnd } from './guarded.ts'
import { documentMost, refuseHuge, refuseHugeDocument } from './held-values.ts'
import { parseScript } from './parse-script.ts'
import { ScriptFault, scriptException } from './script-error.ts'
import { asRun, scriptLimits } from './script-run.ts'
import { withoutTypes } from './settled-values.ts'
import { numberOf } from './typed-number.ts'

/** A compiled script; returns what `return` gave, else null. Throws `script_exception` (`runtime error`). */
export type Script = (ctx: object) => unknown

/** The source of a script kept under a name; undefined when there is none. */
export type StoredScripts = (id: string) => string | undefined

const scriptKeys = ['source', 'inline', 'lang', 'params', 'options', 'id']

/**
 * Reads and compiles the `script` of a request: a string, or an object of `source`, `lang` and `params`. `stored` finds the
 * scripts that are only named by `id`. Throws `illegal_argument_exception` for another language, `script_exception` (`compile error`) with the place of the fault.
 */
export function compileScript(script: unknown, stored: StoredScripts = () => undefined): Script {
  const { source, params } = readScript(script, stored)
  return compileSource(source)(params)
}

/** The source and parameters of a `script`; refuses what `compileScript` refuses. */
export function readScript(
  script: unknown,
  stored: StoredScripts,
): { source: string; params: Record<string, unknown> } {
  if (typeof script === 'string') return { source: script, params: {} }
  if (typeof script !== 'object' || script === null || Array.isArray(script)) {
    throw new AppError(searchErrors.illegal_argument_exception, 'a script is a text or an object with [source]')
  }
  const given = script as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((key) => !scriptKeys.includes(key))
  if (unknown !== undefined)
    throw new AppError(searchErrors.illegal_argument_exception, `[script] unknown field [${unknown}]`)
  const { lang = 'painless', params = {}, id } = given
  const source = id === undefined ? (given['source'] ?? given['inline']) : stored(String(id))
  if (id !== undefined && source === undefined) {
    throw new AppError(
      searchErrors.resource_not_found_exception,
      `unable to find script [${String(id)}] in cluster state`,
    )
  }
  if (lang !== 'painless') {
    throw new AppError(searchErrors.illegal_argument_exception, `script_lang not supported [${String(lang)}]`)
  }
  if (typeof source !== 'string') {
    throw new AppError(
      searchErrors.illegal_argument_exception,
      'must specify either [source] for an inline script or [id] for a stored script',
    )
  }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    throw new AppError(searchErrors.illegal_argument_exception, '[script] params must be an object')
  }
  return { source, params: params as Record<string, unknown> }
}

/** A compiled script over numbers; `params` are added to those it was given. */
export type NumberScript = (
  params: Readonly<Record<string, unknown>>,
  variables?: Readonly<Record<string, unknown>>,
) => unknown

/** Compiles a script of an aggregation: it has `params` and the named variables; the numbers it is given are doubles. */
export function compileNumberScript(script: unknown, variables: readonly string[] = []): NumberScript {
  const { source, params } = readScript(script, () => undefined)
  const names = new Names()
  const paramsSlot = names.declare('params', 'Map', 0).slot
  const slotted = variables.map((name) => [name, names.declare(name, 'def', 0).slot] as const)
  const run = compileReturning(source, names)
  return (given, values = {}) => {
    const slots: unknown[] = []
    slots[paramsSlot] = {
      ...params,
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, asDoubles(value)])),
    }
    for (const [name, slot] of slotted) slots[slot] = asDoubles(values[name])
    return withoutTypes(run(slots))
  }
}

/** Numbers as the doubles that metrics are. */
function asDoubles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asDoubles)
  return typeof value === 'number' ? numberOf('double', value) : value
}

/**
 * Compiles a source whose last expression is its answer, also without `return`; runs over the values of its declared names, and tells `ran` the
 * steps that it took.
 */
export function compileReturning(
  source: string,
  names: Names,
): (slots: unknown[], ran?: (steps: number) => void) => unknown {
  checkLength(source)
  const run = faultsAs('compile', source, () => compileParsed(returningLast(parseScript(source)), names))
  return (slots, ran) =>
    faultsAs('runtime', source, () =>
      asRun((used) => {
        const ending = run({ slots, run: used })
        ran?.(used.steps)
        const returned = typeof ending === 'object' ? ending.returned : null
        refuseHuge(returned, documentMost)
        return returned
      }),
    )
}

/** A last statement that is an expression is the answer, also without `return`. */
export function returningLast(script: ParsedScript): ParsedScript {
  const last = script.body.at(-1)
  if (last?.kind !== 'expression') return script
  return { ...script, body: [...script.body.slice(0, -1), { kind: 'return', value: last.expression, at: last.at }] }
}

function checkLength(source: string): void {
  if (source.length <= scriptLimits.sourceCharsMax) return
  const reason = `Scripts may be no longer than ${scriptLimits.sourceCharsMax} characters. The passed in script is ${source.length} characters.`
  throw new AppError(searchErrors.illegal_argument_exception, reason)
}

/** Compiles a script whose last expression is its answer, true or false: the condition of a processor. Throws as `compileScript` does. */
export function compileConditionScript(script: unknown, stored: StoredScripts): (ctx: object) => boolean {
  const { source, params } = readScript(script, stored)
  const run = compileSource(source, 'boolean')(params)
  return (ctx) => run(ctx) === true
}

/**
 * Compiles the source of a script, which may then run with several parameters. `returns`: what the last expression gives; without it scripts only change what they are
 * given. Throws as `compileScript` does.
 */
export function compileSource(source: string, returns?: string): (params: Record<string, unknown>) => Script {
  checkLength(source)
  const names = new Names()
  const ctxSlot = names.declare('ctx', 'Map', 0).slot
  const paramsSlot = names.declare('params', 'Map', 0).slot
  if (returns !== undefined) names.returning(returns)
  const run = faultsAs('compile', source, () => {
    const parsed = parseScript(source)
    return compileParsed(returns === undefined ? parsed : returningLast(parsed), names)
  })
  return (params) => (ctx) =>
    faultsAs('runtime', source, () => {
      const slots: unknown[] = []
      slots[ctxSlot] = ctx
      // The parameters of a request are not the script's to change.
      slots[paramsSlot] = Object.freeze(params)
      const ending = asRun((used) => run({ slots, run: used }))
      const returned = typeof ending === 'object' ? ending.returned : null
      if (keepsSource(ctx) && !Object.hasOwn(ctx, '_source'))
        throw new ScriptFault(0, 'Cannot remove key _source from ctx', 'unsupported_operation_exception')
      refuseHugeDocument(ctx)
      refuseHuge(returned, documentMost)
      withoutTypes(ctx)
      return withoutTypes(returned)
    })
}

function faultsAs<T>(stage: 'compile' | 'runtime', source: string, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof ScriptFault) throw scriptException(stage, source, thrown)
    // Nesting beyond the stack: in the parser of hostile scripts, or in values that hold themselves.
    if (isStackEnd(thrown)) {
      const reason = `the script or its values are nested too deeply: ${thrown.message}`
      throw scriptException(stage, source, new ScriptFault(0, reason, 'stack_overflow_error'))
    }
    if (thrown instanceof RangeError) throw scriptException(stage, source, new ScriptFault(0, thrown.message))
    throw thrown
  }
}
