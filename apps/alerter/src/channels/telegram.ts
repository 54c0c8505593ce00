import { z } from 'zod'
import { defineChannel, secretOr } from './define-channel.ts'
import { cropped } from './fields.ts'
import { postJson } from './post-json.ts'

/** Telegram's bot API, with ElastAlert's options; `telegram_api_url` is a host, or a whole address. */
export const telegram = defineChannel({
  name: 'telegram',
  options: {
    telegram_bot_token: secretOr(z.string().min(1)),
    telegram_room_id: z.union([z.string(), z.number()]),
    telegram_api_url: z.string().default('api.telegram.org'),
    telegram_parse_mode: z.enum(['markdown', 'markdownV2', 'html']).default('markdown'),
    telegram_thread_id: z.number().int().optional(),
  },
  server: { addresses: ['telegram_api_url'], secrets: ['telegram_bot_token'] },
  send: async ({ subject, body }, options, context) => {
    const api = options.telegram_api_url
    const server = /^https?:\/\//u.test(api) ? api : `https://${api}`
    const isHtml = options.telegram_parse_mode === 'html'
    // In a block of code nothing but its own mark has a meaning.
    const cut = cropped(isHtml ? escapeHtml(body) : body.replaceAll('`', "'"), 3500)
    const title = isHtml ? escapeHtml(subject) : subject.replace(/[_*`[]/gu, ' ')
    const message = {
      chat_id: options.telegram_room_id,
      text: isHtml ? `⚠ ${title} ⚠\n${cut}` : `⚠ *${title}* ⚠ \`\`\`\n${cut} \`\`\``,
      parse_mode: options.telegram_parse_mode,
      disable_web_page_preview: true,
      message_thread_id: options.telegram_thread_id,
    }
    return (await postJson({ url: `${server}/bot${options.telegram_bot_token}/sendMessage`, body: message }, context))
      .said
  },
})

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
