import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { EventsHeader } from '@logstack/contracts'
import type { SpoolRecord } from '../spool/frame.ts'

const gzipAsync = promisify(gzip)

/** The gzipped NDJSON of one events request: the header, then a line a record without its bookmark. */
export function eventsBody(header: EventsHeader, records: readonly SpoolRecord[]): Promise<Buffer> {
  const lines = records.map(({ offset, time, data_stream, event }) =>
    JSON.stringify({ offset, time, data_stream, event }),
  )
  return gzipAsync(`${[JSON.stringify(header), ...lines].join('\n')}\n`, { level: 1 })
}
