import { createHash } from 'node:crypto'
import type { AlertDocument } from '@logstack/contracts'
import { threatOf } from '@logstack/rules'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import type { AlertingRule } from '../rule-files/rule.ts'
import type { RuleMatch } from '../rule-types/define-rule-type.ts'
import { bodyOf, subjectOf } from './alert-text.ts'
import { copiedFields, keyFields, matchBody } from './match-body.ts'

const eventsMax = 100

/** What an alert is made with besides its rule and match. */
export interface AlertCircumstances {
  /** Epoch milliseconds. */
  readonly now: number
  readonly webhookUrl: string
  /** Fields that were looked up for the match. */
  readonly found: Readonly<Record<string, unknown>>
  readonly aggregate: { readonly id: string; readonly due: string } | undefined
  readonly silenced: AlertDocument['logstack']['alert']['silenced']
}

/** The id of a match's alert. It follows from the rule and what made it match, so that writing it twice is seen. */
export function alertIdOf(rule: Pick<AlertingRule, 'id'>, { event, time, key, variant = '' }: RuleMatch): string {
  const what = event ? [event.index, event.id, event.seqNo] : [time, key]
  const identity = JSON.stringify([rule.id, ...what, ...(variant === '' ? [] : [variant])])
  return createHash('sha256').update(identity).digest('base64url').slice(0, 22)
}

/** The alert of a match. */
export function alertOf(rule: AlertingRule, match: RuleMatch, circumstances: AlertCircumstances): IdentifiedAlert {
  const { event, marks, reason } = match
  const { now, silenced, aggregate } = circumstances
  const about = rule.queryKey.length > 0 ? ` for ${rule.queryKey.join(', ')} ${match.key}` : ''
  const notifications = notificationsOf(rule, circumstances)
  const body = matchBody(rule, match, circumstances.found)
  const worded = { ruleName: rule.name, rule: rule.raw, sentence: `${reason}${about}`, match: body }
  const threat = threatOf(rule.tags)
  const document: AlertDocument = {
    '@timestamp': new Date(now).toISOString(),
    event: { kind: 'alert' },
    rule: {
      id: rule.id,
      name: rule.name,
      ...(rule.description === undefined ? {} : { description: rule.description }),
      ...(rule.category === undefined ? {} : { category: rule.category }),
      ...(rule.uuid === undefined ? {} : { uuid: rule.uuid }),
      ...(rule.author === undefined ? {} : { author: rule.author }),
      ...(rule.references === undefined ? {} : { reference: [...rule.references] }),
    },
    ...(threat ? { threat } : {}),
    message: `${rule.name}: ${reason}${about}`,
    ...copiedFields(event ? event.source : keyFields(rule, match.key)),
    logstack: {
      alert: {
        status: 'open',
        severity: rule.severity,
        reason: `${reason}${about}`,
        rule_type: rule.typeName,
        ...(rule.queryKey.length > 0 ? { key: match.key, key_field: rule.queryKey.join(',') } : {}),
        count: match.count,
        first_event: new Date(marks[0]?.time ?? match.time).toISOString(),
        last_event: new Date(marks.at(-1)?.time ?? match.time).toISOString(),
        events: marks.slice(-eventsMax).map(({ index, id }) => ({ index, id })),
        delivery: notifications.some(({ state }) => state === 'pending') ? 'pending' : 'done',
        notifications,
        group: createHash('sha256')
          .update(JSON.stringify([rule.id, match.key]))
          .digest('base64url')
          .slice(0, 16),
        ...(silenced ? { silenced } : {}),
        subject: subjectOf(rule.text, worded),
        text: bodyOf(rule.text, worded),
        ...(aggregate ? { aggregate } : {}),
        match: body,
      },
    },
  }
  return { id: alertIdOf(rule, match), document }
}

function notificationsOf(
  rule: AlertingRule,
  { silenced, webhookUrl }: AlertCircumstances,
): AlertDocument['logstack']['alert']['notifications'] {
  return rule.channels.map(({ name, channel, options }) => {
    const off = silenced ? `silenced by ${silenced.by} until ${silenced.until}` : channel.off(options, { webhookUrl })
    return off === undefined
      ? { channel: name, state: 'pending' as const, attempts: 0 }
      : { channel: name, state: 'off' as const, attempts: 0, error: off }
  })
}
