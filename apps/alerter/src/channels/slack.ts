import { z } from 'zod'
import { attachmentOf, iconOf } from './attachment.ts'
import { defineChannel } from './define-channel.ts'
import { shownFieldsOption } from './fields.ts'
import { postJson, urlsOption } from './post-json.ts'

const text = z.string().optional()

/** Slack's incoming webhook, with ElastAlert's options. */
export const slack = defineChannel({
  name: 'slack',
  options: {
    slack_webhook_url: urlsOption,
    slack_channel_override: z.union([z.string().transform((one) => [one]), z.array(z.string()).min(1)]).default(['']),
    slack_username_override: z.string().default('logstack'),
    slack_emoji_override: z.string().default(':rotating_light:'),
    slack_icon_url_override: text,
    slack_msg_color: z.string().default('danger'),
    slack_parse_override: z.string().default('none'),
    slack_text_string: z.string().default(''),
    slack_alert_fields: shownFieldsOption,
    slack_title: text,
    slack_title_link: text,
    slack_footer: text,
    slack_footer_icon: text,
    slack_image_url: text,
    slack_thumb_url: text,
    slack_author_name: text,
    slack_author_link: text,
    slack_author_icon: text,
    slack_msg_pretext: text,
  },
  send: async (message, options, context) => {
    const look = attachmentOf(message, {
      color: options.slack_msg_color,
      title: options.slack_title,
      titleLink: options.slack_title_link,
      footer: options.slack_footer,
      footerIcon: options.slack_footer_icon,
      imageUrl: options.slack_image_url,
      thumbUrl: options.slack_thumb_url,
      authorName: options.slack_author_name,
      authorLink: options.slack_author_link,
      authorIcon: options.slack_author_icon,
      pretext: options.slack_msg_pretext,
      fields: options.slack_alert_fields,
      bodyMax: 35_000,
    })
    const attachment = { ...look, mrkdwn_in: ['text', 'pretext'] }
    const icon = iconOf(options.slack_icon_url_override, options.slack_emoji_override)
    let said = ''
    for (const url of options.slack_webhook_url)
      for (const channel of options.slack_channel_override) {
        const body = {
          username: options.slack_username_override,
          channel,
          parse: options.slack_parse_override,
          text: options.slack_text_string,
          ...icon,
          attachments: [attachment],
        }
        said = (await postJson({ url, body }, context)).said
      }
    return said
  },
})
