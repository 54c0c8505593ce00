import type { Logger } from '@logstack/logging'
import type { Engine } from './engine.ts'

/** The same engine, with each read's statement in the log at level trace, for whoever looks into a slow search. */
export function tracedEngine(engine: Engine, logger: Logger): Engine {
  if (!logger.isLevelEnabled('trace')) return engine
  return {
    ...engine,
    rows: (query, options) => {
      logger.trace({ statement: query.text, format: 'JSONCompactEachRow' }, 'read')
      return engine.rows(query, options)
    },
    bytes: (query, format, options) => {
      logger.trace({ statement: query.text, format }, 'read')
      return engine.bytes(query, format, options)
    },
  }
}
