import { z } from 'zod'

// `--output=json` writes a field as text, as bytes when it is not UTF-8, as a list when it is there several times, as null when too large.
const byteList = z.array(z.number()).transform((bytes) => Buffer.from(bytes).toString('utf8'))
const several = z.array(z.string()).transform((values) => values.join('\n'))
const fieldSchema = z.union([z.string(), byteList, several]).optional().catch(undefined)

const entrySchema = z.object({
  __CURSOR: z.string(),
  __REALTIME_TIMESTAMP: z.string().regex(/^\d+$/),
  MESSAGE: fieldSchema,
  PRIORITY: fieldSchema,
  SYSLOG_FACILITY: fieldSchema,
  SYSLOG_IDENTIFIER: fieldSchema,
  SYSLOG_PID: fieldSchema,
  _PID: fieldSchema,
  _COMM: fieldSchema,
  _EXE: fieldSchema,
  _CMDLINE: fieldSchema,
  _UID: fieldSchema,
  _SYSTEMD_UNIT: fieldSchema,
  _SYSTEMD_CGROUP: fieldSchema,
  _TRANSPORT: fieldSchema,
  _BOOT_ID: fieldSchema,
})

/** An entry of the journal as nested ECS fields, and the cursor behind it. */
export interface JournalEvent {
  readonly event: Record<string, unknown>
  readonly cursor: string
}

/** Reads one line of `journalctl --output=json`; undefined for what is no entry. */
export function journalEvent(line: string): JournalEvent | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
  const { data: entry } = entrySchema.safeParse(value)
  if (!entry) return undefined
  const event = {
    '@timestamp': new Date(Number(entry.__REALTIME_TIMESTAMP) / 1000).toISOString(),
    message: entry.MESSAGE ?? '',
    log: {
      syslog: {
        appname: entry.SYSLOG_IDENTIFIER ?? entry._COMM,
        procid: entry.SYSLOG_PID ?? entry._PID,
        severity: { code: integer(entry.PRIORITY) },
        facility: { code: integer(entry.SYSLOG_FACILITY) },
      },
    },
    process: {
      pid: integer(entry._PID),
      name: entry._COMM,
      executable: entry._EXE,
      command_line: entry._CMDLINE,
      user: { id: entry._UID },
    },
    systemd: { unit: entry._SYSTEMD_UNIT, cgroup: entry._SYSTEMD_CGROUP, transport: entry._TRANSPORT },
    host: { boot: { id: entry._BOOT_ID } },
  }
  return { event, cursor: entry.__CURSOR }
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined
}
