import type { Engine } from '../engine/engine.ts'

/** Statements of one request that are with the engine at once: a request of 500 aggregations leaves the queue to others. */
const statementsMax = 3

/** The row reader of an engine for one request: further statements wait here, in order, and not in the queue that all requests share. */
export function limitStatements(engine: Pick<Engine, 'rows'>): Pick<Engine, 'rows'> {
  let running = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  return {
    async rows(statement, options) {
      if (running < statementsMax) running++
      // A place is handed over by whoever leaves.
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await engine.rows(statement, options)
      } finally {
        leave()
      }
    },
  }
}
