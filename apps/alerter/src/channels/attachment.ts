import type { Message } from './define-channel.ts'
import { cropped, shownFields } from './fields.ts'

/** How an attachment of Slack's form looks, which Mattermost takes as well. */
export interface AttachmentLook {
  readonly color: string
  readonly title: string | undefined
  readonly titleLink: string | undefined
  readonly footer: string | undefined
  readonly footerIcon: string | undefined
  readonly imageUrl: string | undefined
  readonly thumbUrl: string | undefined
  readonly authorName: string | undefined
  readonly authorLink: string | undefined
  readonly authorIcon: string | undefined
  readonly pretext: string | undefined
  readonly fields: Parameters<typeof shownFields>[1]
  /** Characters of the body that the receiver shows. */
  readonly bodyMax: number
}

/** The attachment of a message. */
export function attachmentOf(message: Message, look: AttachmentLook): Readonly<Record<string, unknown>> {
  return {
    color: look.color,
    title: look.title ?? message.subject,
    text: cropped(message.body, look.bodyMax),
    fields: shownFields(message, look.fields),
    title_link: look.titleLink,
    footer: look.footer,
    footer_icon: look.footerIcon,
    image_url: look.imageUrl,
    thumb_url: look.thumbUrl,
    author_name: look.authorName,
    author_link: look.authorLink,
    author_icon: look.authorIcon,
    pretext: look.pretext,
  }
}

/** The picture beside a message: a link to one, or else an emoji. */
export function iconOf(url: string | undefined, emoji: string): Readonly<Record<string, string>> {
  return url ? { icon_url: url } : { icon_emoji: emoji }
}
