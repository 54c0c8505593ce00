import type { AlertDocument } from '@logstack/contracts'
import type { Logger } from '@logstack/logging'
import { z } from 'zod'

/** What a channel may use of its surroundings. */
export interface ChannelContext {
  readonly logger: Logger
  /** The setting `webhook_url`; empty when unset. */
  readonly webhookUrl: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** The text of a file an option names, relative to the folder of rules. Throws `notify_failed`. */
  readFile(path: string): string
  /** The secret of a name. Throws `notify_failed`. */
  readSecret(name: string): string
  /** Writes a document into an index under an id; a second write changes nothing. */
  writeDocument(index: string, id: string, document: unknown): Promise<void>
}

/** An alert and its id, which receivers may use to drop a second delivery. */
export interface IdentifiedAlert {
  readonly id: string
  readonly document: AlertDocument
}

/** What is sent at once: one alert, or those that were gathered. */
export interface Message {
  /** The alert's id, or that of the gathering: the same at every attempt. */
  readonly id: string
  /** One line. */
  readonly subject: string
  readonly body: string
  /** At least one, oldest first. */
  readonly alerts: readonly [IdentifiedAlert, ...IdentifiedAlert[]]
}

/** Which options say what server a channel sends to, and which are for that server only: who names another one must not send them there. */
export interface ServerOptions {
  readonly addresses: readonly string[]
  readonly secrets: readonly string[]
}

/** A way to notify, with options of any shape. */
export interface Channel {
  readonly name: string
  readonly options: z.ZodRawShape
  /** Absent where the address is the secret, or there is none. */
  readonly server: ServerOptions | undefined
  /** Why the channel is switched off, as a sentence; undefined when it is on. */
  off(options: unknown, context: Pick<ChannelContext, 'webhookUrl'>): string | undefined
  /** Delivers a message or throws `notify_failed`; answers what came back, for people. */
  send(message: Message, options: unknown, context: ChannelContext): Promise<string>
}

/** Declares a channel: its wire name, the keys it adds to a rule file, when it is off, and how it sends. */
export function defineChannel<const Shape extends z.ZodRawShape>(definition: {
  readonly name: string
  readonly options: Shape
  readonly server?: {
    readonly addresses: readonly (keyof Shape & string)[]
    readonly secrets: readonly (keyof Shape & string)[]
  }
  off?(options: z.output<z.ZodObject<Shape>>, context: Pick<ChannelContext, 'webhookUrl'>): string | undefined
  send(message: Message, options: z.output<z.ZodObject<Shape>>, context: ChannelContext): Promise<string>
}): Channel {
  type Options = z.output<z.ZodObject<Shape>>
  return {
    name: definition.name,
    options: definition.options,
    server: definition.server,
    off: (options, context) => definition.off?.(options as Options, context),
    send: async (message, options, context) =>
      definition.send(message, withSecrets(options, context) as Options, context),
  }
}

/** A text option that may be `secret:alerter.NAME`, which stands for what the vault has under that name when something is sent. */
export function secretOr<T extends z.ZodType<string>>(schema: T) {
  const known = z.string().regex(/^secret:alerter\.[\w.-]{1,64}$/u)
  const plain = schema.refine(
    (text) => !text.startsWith('secret:'),
    'expected secret:alerter.NAME, of logstack vault set',
  )
  return z.union([known, plain])
}

// Only when something is sent: so a changed secret counts at once, and none is kept with the rule.
function withSecrets(node: unknown, context: Pick<ChannelContext, 'readSecret'>): unknown {
  if (typeof node === 'string')
    return node.startsWith('secret:') ? context.readSecret(node.slice('secret:'.length)) : node
  if (Array.isArray(node)) return node.map((member) => withSecrets(member, context))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([name, inner]) => [name, withSecrets(inner, context)]))
}
