import type { AlertDocument } from '@logstack/contracts'
import type { Logger } from '@logstack/logging'
import type { z } from 'zod'

/** What a channel may use of its surroundings. */
export interface ChannelContext {
  readonly logger: Logger
  /** The setting `webhook_url`; empty when unset. */
  readonly webhookUrl: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** An alert and its id, which receivers may use to drop a second delivery. */
export interface IdentifiedAlert {
  readonly id: string
  readonly document: AlertDocument
}

/** A way to notify, with options of any shape. */
export interface Channel {
  readonly name: string
  readonly options: z.ZodRawShape
  /** Why the channel is switched off, as a sentence; undefined when it is on. */
  off(options: unknown, context: Pick<ChannelContext, 'webhookUrl'>): string | undefined
  /** Delivers one alert or throws `notify_failed`. */
  send(alert: IdentifiedAlert, options: unknown, context: ChannelContext): Promise<void>
}

/** Declares a channel: its wire name, the keys it adds to a rule file, when it is off, and how it sends. */
export function defineChannel<const Shape extends z.ZodRawShape>(definition: {
  readonly name: string
  readonly options: Shape
  off?(options: z.output<z.ZodObject<Shape>>, context: Pick<ChannelContext, 'webhookUrl'>): string | undefined
  send(alert: IdentifiedAlert, options: z.output<z.ZodObject<Shape>>, context: ChannelContext): Promise<void>
}): Channel {
  type Options = z.output<z.ZodObject<Shape>>
  return {
    name: definition.name,
    options: definition.options,
    off: (options, context) => definition.off?.(options as Options, context),
    send: (alert, options, context) => definition.send(alert, options as Options, context),
  }
}
