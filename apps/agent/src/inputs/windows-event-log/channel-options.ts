import type { PolicyStream } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { z } from 'zod'

// Windows takes some twenty conditions in one query, https://learn.microsoft.com/windows/win32/wes/consuming-events
const conditionsMax = 20
const eventId = z.number().int().min(0).max(65_535)

const optionsSchema = z.object({
  /** As the Event Viewer's properties name it: `Security`, `Microsoft-Windows-Sysmon/Operational`. */
  channel: z.string().regex(/^[\w .()/-]{1,255}$/, 'a channel is letters, digits, spaces and -_./()'),
  event_ids: z.array(eventId).max(conditionsMax).optional(),
  exclude_event_ids: z.array(eventId).max(conditionsMax).optional(),
  /** Only events at least as grave: 1 critical, 2 error, 3 warning, 4 information, 5 verbose. Audits have the level 0, which is always read. */
  level_max: z.number().int().min(1).max(5).optional(),
  /** How far back to read at the first start. */
  first_hours: z.number().min(0).max(8_760).default(24),
})

/** Which events of which channel a stream is for. */
export type ChannelOptions = z.infer<typeof optionsSchema>

/** Reads a stream's keys; throws `agent_policy_invalid`. */
export function channelOptions(stream: PolicyStream): ChannelOptions {
  const parsed = optionsSchema.safeParse(stream)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new AppError(agentsErrors.agent_policy_invalid, `${issue?.path.join('.')}: ${issue?.message}`)
}

/** The XPath of events behind a record, or of those young enough when none was read yet. */
export function eventQuery(options: ChannelOptions, after: number | undefined): string {
  const { event_ids, exclude_event_ids, level_max, first_hours } = options
  const conditions = [
    after === undefined
      ? `TimeCreated[timediff(@SystemTime) <= ${Math.round(first_hours * 3_600_000)}]`
      : `EventRecordID > ${after}`,
    ...(event_ids?.length ? [`(${event_ids.map((id) => `EventID=${id}`).join(' or ')})`] : []),
    ...(exclude_event_ids ?? []).map((id) => `EventID!=${id}`),
    ...(level_max === undefined ? [] : [`Level <= ${level_max}`]),
  ]
  return `*[System[${conditions.join(' and ')}]]`
}
