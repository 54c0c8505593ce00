import { z } from 'zod'
import { fillFormat } from '../rule-values/python-format.ts'
import { defineChannel, type Message, secretOr } from './define-channel.ts'
import { cropped, fieldOf } from './fields.ts'
import { postJson, urlOption } from './post-json.ts'

const word = z.string().default('')
const args = z.array(z.string()).optional()

/** An incident in PagerDuty, with ElastAlert's options. Its key is the alert's id unless the rule gives one, so a second delivery is the same incident. */
export const pagerduty = defineChannel({
  name: 'pagerduty',
  options: {
    pagerduty_service_key: secretOr(z.string().min(1)),
    pagerduty_client_name: z.string().default('logstack'),
    pagerduty_event_type: z.enum(['trigger', 'resolve', 'acknowledge']).default('trigger'),
    pagerduty_incident_key: word,
    pagerduty_incident_key_args: args,
    pagerduty_api_version: z.enum(['v1', 'v2']).default('v1'),
    pagerduty_v2_payload_class: word,
    pagerduty_v2_payload_class_args: args,
    pagerduty_v2_payload_component: word,
    pagerduty_v2_payload_component_args: args,
    pagerduty_v2_payload_group: word,
    pagerduty_v2_payload_group_args: args,
    pagerduty_v2_payload_severity: z.enum(['critical', 'error', 'warning', 'info']).default('critical'),
    pagerduty_v2_payload_source: z.string().default('logstack'),
    pagerduty_v2_payload_source_args: args,
    pagerduty_v2_payload_custom_details: z.record(z.string(), z.string()).default({}),
    pagerduty_v2_payload_include_all_info: z.boolean().default(true),
    /** Where events are sent instead of PagerDuty's own address. */
    pagerduty_url: urlOption.optional(),
  },
  server: { addresses: ['pagerduty_url'], secrets: ['pagerduty_service_key'] },
  send: async (message, options, context) => {
    const key = resolved(message, options.pagerduty_incident_key, options.pagerduty_incident_key_args)
    const incident = key === '' ? message.id : key
    if (options.pagerduty_api_version === 'v1') {
      const body = {
        service_key: options.pagerduty_service_key,
        description: message.subject.slice(0, 1024),
        event_type: options.pagerduty_event_type,
        incident_key: incident,
        client: options.pagerduty_client_name,
        details: { information: cropped(message.body, 400_000) },
      }
      const url = options.pagerduty_url ?? 'https://events.pagerduty.com/generic/2010-04-15/create_event.json'
      return (await postJson({ url, body }, context)).said
    }
    const details = Object.entries(options.pagerduty_v2_payload_custom_details)
    const information = options.pagerduty_v2_payload_include_all_info
      ? { information: cropped(message.body, 400_000) }
      : {}
    const body = {
      routing_key: options.pagerduty_service_key,
      event_action: options.pagerduty_event_type,
      dedup_key: incident,
      client: options.pagerduty_client_name,
      payload: {
        class: resolved(message, options.pagerduty_v2_payload_class, options.pagerduty_v2_payload_class_args),
        component: resolved(
          message,
          options.pagerduty_v2_payload_component,
          options.pagerduty_v2_payload_component_args,
        ),
        group: resolved(message, options.pagerduty_v2_payload_group, options.pagerduty_v2_payload_group_args),
        severity: options.pagerduty_v2_payload_severity,
        source: resolved(message, options.pagerduty_v2_payload_source, options.pagerduty_v2_payload_source_args),
        summary: message.subject.slice(0, 1024),
        timestamp: message.alerts[0].document['@timestamp'],
        custom_details: {
          ...information,
          ...Object.fromEntries(details.map(([name, field]) => [name, fieldOf(message, field) ?? field])),
        },
      },
    }
    return (await postJson({ url: options.pagerduty_url ?? 'https://events.pagerduty.com/v2/enqueue', body }, context))
      .said
  },
})

function resolved(message: Message, text: string, fields: readonly string[] | undefined): string {
  if (!fields) return text
  return fillFormat(text, { positional: fields.map((field) => fieldOf(message, field)), missing: '<MISSING VALUE>' })
}
