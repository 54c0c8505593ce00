import { z } from 'zod'
import { defineChannel } from './define-channel.ts'
import { cropped, fieldOf } from './fields.ts'
import { postJson, urlsOption } from './post-json.ts'

/** A workflow of Microsoft Teams (Power Automate) that posts an adaptive card, with ElastAlert's options. */
export const msPowerAutomate = defineChannel({
  name: 'ms_power_automate',
  options: {
    ms_power_automate_webhook_url: urlsOption,
    ms_power_automate_alert_summary: z.string().optional(),
    ms_power_automate_summary_text_size: z.string().default('large'),
    ms_power_automate_body_text_size: z.string().optional(),
    ms_power_automate_alert_facts: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
    ms_power_automate_teams_card_width_full: z.boolean().default(false),
  },
  send: async (message, options, context) => {
    const size = options.ms_power_automate_body_text_size
    const facts = (options.ms_power_automate_alert_facts ?? []).map(({ name, value }) => ({
      title: name,
      value: String(fieldOf(message, value) ?? value),
    }))
    const card = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        {
          type: 'TextBlock',
          text: options.ms_power_automate_alert_summary ?? message.subject,
          weight: 'Bolder',
          wrap: true,
          size: options.ms_power_automate_summary_text_size,
        },
        // Teams takes 28 KB at most.
        {
          type: 'TextBlock',
          text: cropped(message.body, 20_000),
          spacing: 'Large',
          wrap: true,
          ...(size ? { size } : {}),
        },
        ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : []),
      ],
      actions: [],
      ...(options.ms_power_automate_teams_card_width_full ? { msteams: { width: 'Full' } } : {}),
    }
    const contentType = 'application/vnd.microsoft.card.adaptive'
    const body = { type: 'message', attachments: [{ contentType, contentUrl: null, content: card }] }
    let said = ''
    for (const url of options.ms_power_automate_webhook_url) said = (await postJson({ url, body }, context)).said
    return said
  },
})
