import { commandName, commandsOf } from '../../../esql/query-text.ts'
import type { Interval } from '../../../time/interval.ts'

// What follows these has the documents of the source still, one a row.
const keepsDocuments = new Set(['FROM', 'TS', 'WHERE', 'EVAL', 'KEEP', 'DROP', 'RENAME', 'SORT', 'DISSECT', 'GROK'])
const units: Readonly<Record<string, string>> = {
  ms: 'milliseconds',
  s: 'seconds',
  m: 'minutes',
  h: 'hours',
  d: 'day',
  w: 'week',
  M: 'month',
  y: 'year',
}

/** A query that counts the rows of another over time. */
export interface HistogramQuery {
  readonly esql: string
  /** Whether a LIMIT at the end of the query is left out: the bars count what it cuts off, too. */
  readonly isBeforeLimit: boolean
}

/** The query for the bars above the rows of a query; undefined where its rows are no documents, or only some of them. */
export function histogramQuery(esql: string, timeField: string, interval: Interval): HistogramQuery | undefined {
  const commands = commandsOf(esql)
  const isBeforeLimit = commandName(commands.at(-1) ?? '') === 'LIMIT'
  const kept = isBeforeLimit ? commands.slice(0, -1) : commands
  const names = kept.map(commandName)
  if (names[0] === 'ROW' || !names.every((name) => keepsDocuments.has(name))) return undefined
  // An order of all rows would cost, and changes nothing that is counted.
  const counted = kept.filter((_, at) => names[at] !== 'SORT')
  const bars = `STATS results = COUNT(*) BY timestamp = BUCKET(${timeField}, ${spanOf(interval)})`
  return { esql: [...counted, bars].join('\n| '), isBeforeLimit }
}

/** An interval as ES|QL writes it: `30 seconds`, `1 week`. */
function spanOf({ text }: Interval): string {
  const [, amount = '1', unit = 's'] = /^(\d+)([a-z]+)$/iu.exec(text) ?? []
  return `${amount} ${units[unit] ?? 'seconds'}`
}
