import type { Engine } from '../engine/engine.ts'

/** An engine that remembers the statements it was given and holds no rows; `refuse` makes it fail on those that match. */
export interface RecordingEngine extends Engine {
  readonly statements: string[]
  /** What `system.columns` answers: table and column. */
  columns: readonly (readonly [table: string, column: string, codec: string])[]
  refuse: RegExp | undefined
  /** Bytes of the largest part of every partition, and those that are free. */
  room: readonly [largest: number, free: number]
}

/** Makes a recording engine for tests. */
export function recordingEngine(): RecordingEngine {
  const unused = (): never => {
    throw new Error('the catalogue does not use this')
  }
  const engine: RecordingEngine = {
    statements: [],
    columns: [],
    refuse: undefined,
    room: [0, 2 ** 40],
    rows: async ({ text }) =>
      text.includes('unreserved_space') ? [[...engine.room]] : engine.columns.map((row) => [...row]),
    bytes: unused,
    async execute({ text }) {
      if (engine.refuse?.test(text) === true) throw new Error('refused by the test')
      engine.statements.push(text.replace(/\s+/g, ' '))
    },
    insertSegment: unused,
    insertFile: unused,
    deleteRows: unused,
    async close() {
      engine.statements.push('CLOSED')
    },
  }
  return engine
}
