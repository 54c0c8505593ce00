import { z } from 'zod'
import { fillFormat } from '../rule-values/python-format.ts'
import { defineChannel, secretOr } from './define-channel.ts'
import { cropped, fieldOf, filled } from './fields.ts'
import { postJson, urlOption } from './post-json.ts'

const text = z.string().optional()
const names = z.array(z.string()).optional()

/** An alert in Opsgenie, with ElastAlert's options. Its alias is the alert's id unless the rule gives one, so a second delivery is the same alert. */
export const opsgenie = defineChannel({
  name: 'opsgenie',
  options: {
    opsgenie_key: secretOr(z.string().min(1)),
    opsgenie_addr: urlOption.default('https://api.opsgenie.com/v2/alerts'),
    opsgenie_account: text,
    opsgenie_message: text,
    opsgenie_subject: text,
    opsgenie_subject_args: names,
    opsgenie_description: text,
    opsgenie_alias: text,
    opsgenie_entity: text,
    opsgenie_source: z.string().default('logstack'),
    opsgenie_priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']).optional(),
    opsgenie_tags: z.array(z.string()).default([]),
    opsgenie_recipients: names,
    opsgenie_teams: names,
    opsgenie_details: z.record(z.string(), z.union([z.string(), z.strictObject({ field: z.string() })])).default({}),
  },
  server: { addresses: ['opsgenie_addr'], secrets: ['opsgenie_key'] },
  send: async (message, options, context) => {
    const title =
      options.opsgenie_subject === undefined
        ? message.subject
        : subjectOf(options.opsgenie_subject, options.opsgenie_subject_args)
    const details = Object.entries(options.opsgenie_details).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : String(fieldOf(message, value.field) ?? ''),
    ])
    const rule = message.alerts[0].document.rule.name
    const body = {
      message: (options.opsgenie_message === undefined ? title : filled(message, options.opsgenie_message)).slice(
        0,
        130,
      ),
      alias: options.opsgenie_alias === undefined ? message.id : filled(message, options.opsgenie_alias),
      description:
        options.opsgenie_description === undefined
          ? cropped(message.body, 15_000)
          : filled(message, options.opsgenie_description),
      source: filled(message, options.opsgenie_source),
      tags: [...options.opsgenie_tags.map((tag) => filled(message, tag)), rule],
      ...(options.opsgenie_account === undefined ? {} : { user: options.opsgenie_account }),
      ...(options.opsgenie_entity === undefined ? {} : { entity: filled(message, options.opsgenie_entity) }),
      ...(options.opsgenie_priority === undefined ? {} : { priority: options.opsgenie_priority }),
      responders: [
        ...(options.opsgenie_recipients ?? []).map((username) => ({ username, type: 'user' })),
        ...(options.opsgenie_teams ?? []).map((name) => ({ name, type: 'team' })),
      ],
      ...(details.length > 0 ? { details: Object.fromEntries(details) } : {}),
    }
    const headers = { authorization: `GenieKey ${options.opsgenie_key}` }
    return (await postJson({ url: options.opsgenie_addr, body, headers }, context)).said

    function subjectOf(subject: string, fields: readonly string[] | undefined): string {
      if (!fields) return subject
      return fillFormat(subject, {
        positional: fields.map((field) => fieldOf(message, field)),
        missing: '<MISSING VALUE>',
      })
    }
  },
})
