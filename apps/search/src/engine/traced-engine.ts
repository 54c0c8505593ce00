import type { Logger } from '@logstack/logging'
import type { Engine } from './engine.ts'

/** The same engine, with each read's statement in the log at level trace; the benchmark runs them again without search around them. */
export function tracedEngine(engine: Engine, logger: Logger): Engine {
  if (!logger.isLevelEnabled('trace')) return engine
  return {
    rows: (query, options) => {
      logger.trace({ statement: query.text, format: 'JSONCompactEachRow' }, 'read')
      return engine.rows(query, options)
    },
    bytes: (query, format, options) => {
      logger.trace({ statement: query.text, format }, 'read')
      return engine.bytes(query, format, options)
    },
    execute: (statement, options) => engine.execute(statement, options),
    insertSegment: (segment) => engine.insertSegment(segment),
    insertFile: (file) => engine.insertFile(file),
    deleteRows: (table, partition, sequences) => engine.deleteRows(table, partition, sequences),
    lanes: () => engine.lanes?.() ?? [],
    close: () => engine.close(),
  }
}
