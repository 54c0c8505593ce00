import { type EventRecord, type EventsHeader, eventRecordSchema, eventsHeaderSchema } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import type { z } from 'zod'
import { limits } from '../../limits.ts'

/** A parsed events request. Offsets rise. */
export interface EventsBatch {
  readonly header: EventsHeader
  readonly records: readonly EventRecord[]
}

/** Reads the NDJSON of an events request of agent `id`; anything else is `agent_request_invalid`, with the line. */
export function readEventsBatch(bytes: Buffer, id: string): EventsBatch {
  const lines = bytes.toString('utf8').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const header = readLine(lines[0] ?? '', 1, eventsHeaderSchema)
  if (header.agent.id !== id) throw invalid(1, 'the header names another agent')
  if (lines.length - 1 > limits.recordsPerBatchMax) {
    throw new AppError(
      agentsErrors.agent_request_too_large,
      `a batch holds at most ${limits.recordsPerBatchMax} events`,
    )
  }
  const records = lines.slice(1).map((line, index) => readLine(line, index + 2, eventRecordSchema))
  const unordered = records.findIndex(
    (record, index) => index > 0 && record.offset <= (records[index - 1]?.offset ?? -1),
  )
  if (unordered > 0) throw invalid(unordered + 2, 'offsets do not rise')
  return { header, records }
}

function readLine<T>(line: string, number: number, schema: z.ZodType<T>): T {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (thrown) {
    throw invalid(number, 'no JSON', thrown)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(number, `${issue?.path.join('.')}: ${issue?.message}`)
}

function invalid(line: number, reason: string, cause?: unknown): AppError {
  return new AppError(agentsErrors.agent_request_invalid, `line ${line}: ${reason}`, { cause })
}
