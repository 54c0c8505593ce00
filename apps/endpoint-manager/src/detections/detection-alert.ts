import { type AlertDocument, type AlertSeverity, alertDocumentSchema } from '@logstack/contracts'
import { leavesAt, type SigmaLevel, threatOf } from '@logstack/rules'
import { stableId } from '../documents/stable-id.ts'
import type { DetectionMatch } from './detector.ts'

const eventsMax = 100
const severities: Readonly<Record<SigmaLevel, AlertSeverity>> = {
  informational: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  critical: 'critical',
}

/** The alert of a match in the shape of the alerter's: its id follows from the rule, its key and the events, so that it is never written twice. */
export function detectionAlert(match: DetectionMatch, now: number): { id: string; document: AlertDocument } {
  const { rule, keyFields, key, events, count } = match
  const times = events.map(({ time }) => time)
  const about = key.length > 0 ? ` for ${keyFields.join(', ')} ${key.join(', ')}` : ''
  const reason = `${rule.description ?? rule.title} ${count} ${count === 1 ? 'event' : 'events'}${about}.`
  const threat = threatOf(rule.tags)
  const document = {
    '@timestamp': new Date(now).toISOString(),
    event: { kind: 'alert' },
    rule: {
      id: rule.id,
      name: rule.title,
      category: 'detection',
      uuid: rule.id,
      ...(rule.description === undefined ? {} : { description: rule.description }),
      ...(rule.author === undefined ? {} : { author: rule.author }),
      ...(rule.references.length === 0 ? {} : { reference: [...rule.references] }),
    },
    ...(threat ? { threat } : {}),
    message: `${rule.title}${about}`,
    ...copied(match.document),
    logstack: {
      alert: {
        status: 'open',
        severity: severities[rule.level],
        reason,
        rule_type: rule.kind === 'correlation' ? 'correlation' : 'sigma',
        ...(key.length === 0 ? {} : { key: key.join(', '), key_field: keyFields.join(',') }),
        count,
        first_event: new Date(Math.min(...times)).toISOString(),
        last_event: new Date(Math.max(...times)).toISOString(),
        events: events.slice(-eventsMax).map(({ index, id }) => ({ index, id })),
        // Detections go to the page of alerts; channels belong to the alerter's rules.
        delivery: 'done',
        notifications: [],
        group: stableId([rule.id, ...key], 16),
        match: { ...match.document },
      },
    },
  }
  const places = events.map(({ index, id }) => `${index}/${id}`)
  return { id: stableId([rule.id, ...key, ...places]), document: alertDocumentSchema.parse(document) }
}

function copied(document: DetectionMatch['document']): object {
  const texts = { host: 'host.name', user: 'user.name', source: 'source.ip' }
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, field]) => {
      const [value] = leavesAt(document, field)
      return typeof value === 'string' ? [[name, { [field.slice(name.length + 1)]: value }]] : []
    }),
  )
}
