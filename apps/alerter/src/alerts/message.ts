import type { IdentifiedAlert, Message } from '../channels/define-channel.ts'
import type { TextOptions } from '../rule-files/rule.ts'
import { summaryTable } from './summary-table.ts'

const line = '\n----------------------------------------\n'

/** The message of alerts that are sent at once; `text` is how their rule words alerts, if it is still there. */
export function messageOf(id: string, alerts: Message['alerts'], text: TextOptions | undefined): Message {
  const [first] = alerts
  const bodies = alerts.map(({ document }) => document.logstack.alert.text ?? document.message)
  const summary =
    text?.summary && first.document.logstack.alert.aggregate
      ? summaryTable(
          text.summary,
          alerts.map(({ document }) => document.logstack.alert.match ?? {}),
        )
      : ''
  const whole = alerts.length === 1 ? (bodies[0] ?? '') : bodies.map((body) => `${body}${line}`).join('')
  return {
    id,
    subject: subjectOf(first, alerts.length),
    body: text?.textType === 'aggregation_summary_only' ? summary : `${summary}${whole}`,
    alerts,
  }
}

function subjectOf({ document }: IdentifiedAlert, count: number): string {
  const subject = document.logstack.alert.subject ?? document.rule.name
  return count === 1 ? subject : `${subject} (${count} alerts)`
}
