import type { AlertDocument } from '@logstack/contracts'
import { Text, Timeline, Title } from '@mantine/core'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'
import { type Alert, type AlertEvent, useAlertEvents } from './use-alerts.ts'

interface Moment {
  readonly id: string
  readonly time: string
  readonly title: string
  readonly text?: string | undefined
  readonly color: string
}

/** What happened, in order: the events, the match, what was sent, and what people did. */
export function AlertTimeline({ alert }: { alert: Alert }) {
  const events = useAlertEvents(alert)
  const { alert: details } = alert.document.logstack
  const shown = events.data ?? []
  const hidden = details.count - shown.length
  const moments = [...shown.map(eventMoment), ...ownMoments(alert.document)].sort(
    (left, right) => Date.parse(left.time) - Date.parse(right.time),
  )
  return (
    <div data-testid="alert-timeline">
      <Title order={4} mb="xs">
        {messages.timeline}
      </Title>
      {hidden > 0 && events.isSuccess && (
        <Text size="xs" className="muted" mb="xs">
          {messages.moreEvents(hidden)}
        </Text>
      )}
      <Timeline bulletSize={12} lineWidth={2} active={moments.length}>
        {moments.map(({ id, time, title, text, color }) => (
          <Timeline.Item key={id} color={color} title={<Text size="sm">{title}</Text>}>
            <Text size="xs" className="muted mono">
              {formatInstant(Date.parse(time))}
            </Text>
            {text && (
              <Text size="xs" c="red">
                {text}
              </Text>
            )}
          </Timeline.Item>
        ))}
      </Timeline>
      {events.error && (
        <Text size="xs" c="red" role="alert">
          {events.error.message}
        </Text>
      )}
    </div>
  )
}

function eventMoment({ id, time, text }: AlertEvent): Moment {
  return { id: `event ${id}`, time: time ?? '', title: text.slice(0, 400), color: 'gray' }
}

function ownMoments(document: AlertDocument): Moment[] {
  const { notifications, history = [] } = document.logstack.alert
  const matchedAt = document['@timestamp']
  return [
    { id: 'match', time: matchedAt, title: messages.matched, color: 'orange' },
    ...notifications
      .filter(({ state }) => state !== 'off')
      .map(({ channel, state, sent_at: sentAt, next_attempt: next, error }): Moment => {
        const id = `channel ${channel}`
        if (state === 'sent') return { id, time: sentAt ?? matchedAt, title: messages.sent(channel), color: 'green' }
        const title = state === 'failed' ? messages.notSent(channel) : messages.waiting(channel)
        return { id, time: next ?? matchedAt, title, text: error, color: state === 'failed' ? 'red' : 'yellow' }
      }),
    ...history.map(
      ({ at, by, status }, place): Moment => ({
        id: `change ${place}`,
        time: at,
        title: messages.changed(by, status),
        color: 'blue',
      }),
    ),
  ]
}
