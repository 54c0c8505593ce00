const levelWidth = 5
/** Keys of a log entry that are shown in their own place, or say nothing to a person. */
const placed = new Set(['level', 'time', 'part', 'msg', 'err', 'fix', 'pid', 'hostname', 'v'])

/** A line of a part's log for people: time, level, message, other fields as key=value; what is no log entry stays as it is. */
export function renderLogLine(line: string): string {
  const entry = readEntry(line)
  if (!entry) return line
  const level = String(entry['level'] ?? 'info')
    .toUpperCase()
    .padEnd(levelWidth)
  const fields = Object.entries(entry)
    .filter(([key]) => !placed.has(key))
    .map(([key, value]) => `${key}=${renderValue(value)}`)
  const fix = typeof entry['fix'] === 'string' ? [`(fix: ${entry['fix']})`] : []
  const words = [timeOf(entry['time']), level, String(entry['msg'] ?? ''), ...fields, ...fix]
  return [words.filter((word) => word !== '').join(' '), ...stackOf(entry['err'])].join('\n')
}

function readEntry(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const found: unknown = JSON.parse(line)
    return typeof found === 'object' && found !== null && 'msg' in found
      ? (found as Record<string, unknown>)
      : undefined
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

/** ISO 8601 or milliseconds, as `2026-11-22 00:01:02.345` in UTC. */
function timeOf(time: unknown): string {
  const at = new Date(typeof time === 'number' || typeof time === 'string' ? time : Number.NaN)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString().replace('T', ' ').replace('Z', '')
}

function renderValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return typeof value === 'string' && /[\s="]/.test(value) ? JSON.stringify(value) : text
}

/** The error of an entry: where it came from, indented below the message. */
function stackOf(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const { stack, message } = error as { stack?: unknown; message?: unknown }
  const text = typeof stack === 'string' ? stack : typeof message === 'string' ? message : ''
  return text === '' ? [] : text.split('\n').map((part) => `    ${part.trim()}`)
}
