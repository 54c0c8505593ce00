import { z } from 'zod'
import { defineChannel } from './define-channel.ts'
import { cropped } from './fields.ts'
import { postJson, urlOption } from './post-json.ts'

/** Discord's webhook, with ElastAlert's options. */
export const discord = defineChannel({
  name: 'discord',
  options: {
    discord_webhook_url: urlOption,
    discord_emoji_title: z.string().default(':warning:'),
    discord_embed_color: z.number().int().min(0).max(0xffffff).default(0xffffff),
    discord_embed_footer: z.string().optional(),
    discord_embed_icon_url: z.string().optional(),
  },
  send: async ({ subject, body }, options, context) => {
    const { discord_emoji_title: emoji, discord_embed_footer: footer, discord_embed_icon_url: icon } = options
    const embed = {
      description: cropped(body, 2047),
      color: options.discord_embed_color,
      ...(footer === undefined ? {} : { footer: { text: footer, icon_url: icon } }),
    }
    const content = `${emoji} ${subject} ${emoji}`.slice(0, 2000)
    // Names in an alert are no call to anyone.
    const message = { content, embeds: [embed], allowed_mentions: { parse: [] } }
    return (await postJson({ url: options.discord_webhook_url, body: message }, context)).said
  },
})
