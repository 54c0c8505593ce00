import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { AlertDocument } from '@logstack/contracts'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import { textAt } from '../events/read-events.ts'
import type { Rule } from '../rule-files/rule.ts'
import type { RuleMatch } from '../rule-types/define-rule-type.ts'

const eventsMax = 100

/** The alert of a match at `now` (epoch ms). Its id follows from the rule and the event that made it match, so writing it twice is seen. */
export function alertOf(rule: Rule, match: RuleMatch, now: number, webhookUrl: string): IdentifiedAlert {
  const { event, marks, reason } = match
  const identity = JSON.stringify([rule.id, event.index, event.id, event.seqNo])
  const about = rule.queryKey.length > 0 ? ` for ${rule.queryKey.join(', ')} ${event.key}` : ''
  const notifications = rule.channels.map(({ name, channel, options }) => {
    const off = channel.off(options, { webhookUrl })
    return off === undefined
      ? ({ channel: name, state: 'pending', attempts: 0 } as const)
      : ({ channel: name, state: 'off', attempts: 0, error: off } as const)
  })
  const document: AlertDocument = {
    '@timestamp': new Date(now).toISOString(),
    event: { kind: 'alert' },
    rule: {
      id: rule.id,
      name: rule.name,
      ...(rule.description === undefined ? {} : { description: rule.description }),
      ...(rule.category === undefined ? {} : { category: rule.category }),
    },
    message: `${rule.name}: ${reason}${about}`,
    ...copiedFields(event.source),
    logstack: {
      alert: {
        status: 'open',
        severity: rule.severity,
        reason: `${reason}${about}`,
        rule_type: rule.type.name,
        ...(rule.queryKey.length > 0 ? { key: event.key, key_field: rule.queryKey.join(',') } : {}),
        count: marks.length,
        first_event: new Date(marks[0]?.time ?? event.time).toISOString(),
        last_event: new Date(marks.at(-1)?.time ?? event.time).toISOString(),
        events: marks.slice(-eventsMax).map(({ index, id }) => ({ index, id })),
        delivery: notifications.some(({ state }) => state === 'pending') ? 'pending' : 'done',
        notifications,
      },
    },
  }
  return { id: createHash('sha256').update(identity).digest('base64url').slice(0, 22), document }
}

function copiedFields(source: unknown): Pick<AlertDocument, 'host' | 'user' | 'source'> {
  const [host, user, ip] = ['host.name', 'user.name', 'source.ip'].map((field) => textAt(source, field))
  return {
    ...(host === undefined ? {} : { host: { name: host } }),
    ...(user === undefined ? {} : { user: { name: user } }),
    ...(ip !== undefined && isIP(ip) > 0 ? { source: { ip } } : {}),
  }
}
