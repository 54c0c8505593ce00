import { AppError, searchErrors } from '@logstack/errors'
import type { FieldScriptInput } from './field-script.ts'
import { Names } from './frame.ts'
import { documentMost, refuseHuge } from './held-values.ts'
import { compileReturning, readScript, type StoredScripts } from './script.ts'
import { withOrder } from './script-map.ts'
import { refuseSelfReferences } from './self-references.ts'
import { numberOf } from './typed-number.ts'

type Parameters = Readonly<Record<string, unknown>>

/** The scripts of a `scripted_metric`, as the request has them. */
export interface MetricScriptBodies {
  readonly init: unknown
  readonly map: unknown
  readonly combine: unknown
  readonly reduce: unknown
  /** What all of them have as `params` beside their own. */
  readonly params: Parameters
}

/** One bucket's run through the scripts. */
export interface MetricRun {
  /** Runs `map` over a document. */
  map(input: FieldScriptInput): void
  /** What `combine` and then `reduce` make of the state; numbers have Java's types. */
  answer(): unknown
}

/** Compiled scripts of a `scripted_metric`. */
export interface MetricScripts {
  begin(): MetricRun
  /** What `reduce` makes of a bucket without documents, which has the state null. */
  nothing(): unknown
}

/** What the state of one bucket may hold: it is printed, and looked through again and again. */
const stateMost = { ...documentMost, values: 500_000 }

/** Compiles the scripts of a `scripted_metric`. Throws as `compileScript` does, and for a parameter that is given twice. */
export function compileMetricScripts(bodies: MetricScriptBodies, stored: StoredScripts): MetricScripts {
  const compile = (script: unknown, variables: readonly string[]) => compiled(script, bodies.params, variables, stored)
  const init = bodies.init === undefined ? undefined : compile(bodies.init, ['state'])
  const map = compile(bodies.map, ['state', 'doc', '_score'])
  const combine = compile(bodies.combine, ['state'])
  const reduce = compile(bodies.reduce, ['states'])
  const reduced = (states: unknown[]) => {
    const result = reduce({ states }, reduce.params())
    refuseSelfReferences(result, 'reduce script')
    countValues(result)
    return result
  }
  return {
    nothing: () => reduced([null]),
    begin() {
      const state: Record<string, unknown> = withOrder({}, 'hash')
      init?.({ state }, init.params())
      refuseSelfReferences(state, 'Scripted metric aggs init script')
      const params = map.params()
      // What a round adds is bounded by its steps: as many as a state holds may pass before it is looked through again.
      let unseen = 0
      let held = 0
      const ran = (steps: number) => {
        unseen += steps + 1
        if (unseen < held) return
        unseen = 0
        held = countValues(state)
      }
      return {
        map(input) {
          const variables = { state, doc: input.doc, _score: numberOf('double', input.score ?? 0) }
          map(variables, { ...params, _source: input.source }, ran)
        },
        answer() {
          refuseSelfReferences(state, 'Scripted metric aggs map script')
          const result = combine({ state }, combine.params())
          refuseSelfReferences(result, 'Scripted metric aggs combine script')
          return reduced([result])
        },
      }
    },
  }
}

/** Counts what a state or an answer holds; throws `illegal_argument_exception` when that is too much. */
function countValues(value: unknown): number {
  try {
    return refuseHuge(value, stateMost)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    throw new AppError(searchErrors.illegal_argument_exception, `[scripted_metric] ${thrown.message}`)
  }
}

function compiled(script: unknown, shared: Parameters, variables: readonly string[], stored: StoredScripts) {
  const { source, params } = readScript(script, stored)
  const twice = Object.keys(shared).find((key) => Object.hasOwn(params, key))
  if (twice !== undefined)
    throw new AppError(
      searchErrors.illegal_argument_exception,
      `Parameter name "${twice}" used in both aggregation and script parameters`,
    )
  const names = new Names()
  const paramsSlot = names.declare('params', 'Map', 0).slot
  const slotted = variables.map(
    (name) => [name, names.declare(name, name === '_score' ? 'double' : 'def', 0).slot] as const,
  )
  const run = compileReturning(source, names)
  const call = (values: Parameters, given: Parameters, ran?: (steps: number) => void) => {
    const slots: unknown[] = []
    slots[paramsSlot] = given
    for (const [name, slot] of slotted) slots[slot] = values[name]
    return run(slots, ran)
  }
  // Every bucket has parameters of its own, which its scripts may change.
  return Object.assign(call, { params: (): Parameters => structuredClone({ ...params, ...shared }) })
}
