import { z } from 'zod'
import { attachmentOf, iconOf } from './attachment.ts'
import { defineChannel } from './define-channel.ts'
import { shownFieldsOption } from './fields.ts'
import { postJson, urlsOption } from './post-json.ts'

const text = z.string().optional()

/** Mattermost's incoming webhook, with ElastAlert's options. */
export const mattermost = defineChannel({
  name: 'mattermost',
  options: {
    mattermost_webhook_url: urlsOption,
    mattermost_channel_override: z
      .union([z.string().transform((one) => [one]), z.array(z.string()).min(1)])
      .default(['']),
    mattermost_username_override: z.string().default('logstack'),
    mattermost_emoji_override: z.string().default(':rotating_light:'),
    mattermost_icon_url_override: text,
    mattermost_msg_color: z.string().default('danger'),
    mattermost_msg_pretext: z.string().default(''),
    mattermost_msg_fields: shownFieldsOption,
    mattermost_title: text,
    mattermost_title_link: text,
    mattermost_footer: text,
    mattermost_footer_icon: text,
    mattermost_image_url: text,
    mattermost_thumb_url: text,
    mattermost_author_name: text,
    mattermost_author_link: text,
    mattermost_author_icon: text,
  },
  send: async (message, options, context) => {
    const look = attachmentOf(message, {
      color: options.mattermost_msg_color,
      title: options.mattermost_title,
      titleLink: options.mattermost_title_link,
      footer: options.mattermost_footer,
      footerIcon: options.mattermost_footer_icon,
      imageUrl: options.mattermost_image_url,
      thumbUrl: options.mattermost_thumb_url,
      authorName: options.mattermost_author_name,
      authorLink: options.mattermost_author_link,
      authorIcon: options.mattermost_author_icon,
      pretext: options.mattermost_msg_pretext,
      fields: options.mattermost_msg_fields,
      bodyMax: 15_000,
    })
    const attachment = { ...look, fallback: `${message.subject}: ${options.mattermost_msg_pretext}` }
    const icon = iconOf(options.mattermost_icon_url_override, options.mattermost_emoji_override)
    let said = ''
    for (const url of options.mattermost_webhook_url)
      for (const channel of options.mattermost_channel_override) {
        const to = channel === '' ? {} : { channel }
        const body = { username: options.mattermost_username_override, ...to, ...icon, attachments: [attachment] }
        said = (await postJson({ url, body }, context)).said
      }
    return said
  },
})
