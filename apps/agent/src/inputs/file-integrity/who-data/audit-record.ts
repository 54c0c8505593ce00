/** One record of the kernel's audit as auditd writes it; several with the same `id` are one event. */
export interface AuditRecord {
  readonly type: string
  /** Time and serial number: no other event of this host has both. */
  readonly id: string
  /** Milliseconds. */
  readonly time: number
  /** What stands behind the id. */
  readonly text: string
}

const header = /^(?:node=\S+ )?type=(\S+) msg=audit\(((\d+)\.(\d{3}):\d+)\): ?/
const field = /([\w-]+)=("[^"]*"|\S*)/g
// Behind it stands what auditd itself adds when told `log_format = ENRICHED`: names of numbers, in capitals.
const enrichment = '\x1d'

/** Reads a line of auditd's log; undefined for any other line. */
export function readRecord(line: string): AuditRecord | undefined {
  const found = header.exec(line)
  if (!found) return undefined
  const [whole, type = '', id = '', seconds, milliseconds] = found
  return { type, id, time: Number(seconds) * 1000 + Number(milliseconds), text: line.slice(whole.length) }
}

/** The values of a record as written: quoted, in hexadecimal digits, or bare. */
export function fieldsOf({ text }: AuditRecord): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [, name = '', value = ''] of text.replaceAll(enrichment, ' ').matchAll(field)) {
    // The kernel's own come first: nothing behind them can stand in their place.
    if (!fields.has(name)) fields.set(name, value)
  }
  return fields
}

/** A text of a record: the kernel quotes plain ones and writes all others, with spaces or beyond ASCII, as hexadecimal digits. */
export function textOf(value: string | undefined): string | undefined {
  if (value === undefined || value === '' || value === '(null)' || value === '?') return undefined
  if (value.startsWith('"')) return value.slice(1, -1)
  return /^(?:[0-9A-Fa-f]{2})+$/.test(value) ? Buffer.from(value, 'hex').toString('utf8') : value
}

/** A number of a record; undefined for one that is not set (`4294967295`, `unset`). */
export function idOf(value: string | undefined): string | undefined {
  return value !== undefined && /^\d+$/.test(value) && value !== '4294967295' ? value : undefined
}
