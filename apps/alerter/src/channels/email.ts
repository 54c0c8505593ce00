import { AppError, alerterErrors, messageOf } from '@logstack/errors'
import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { readAccount } from './account-file.ts'
import { type ChannelContext, defineChannel, type Message, secretOr } from './define-channel.ts'
import { fieldOf } from './fields.ts'

const addresses = z.union([
  z
    .string()
    .min(1)
    .transform((one) => [one]),
  z.array(z.string().min(1)).min(1),
])

/**
 * Mail over SMTP with ElastAlert's options: `smtp_ssl` is TLS from the first byte, otherwise STARTTLS where the server offers it, and always
 * before a password is sent. The Message-ID is made of the alert's id, so receivers can tell a second delivery.
 */
export const email = defineChannel({
  name: 'email',
  options: {
    email: addresses,
    from_addr: z.string().default('logstack <logstack@localhost>'),
    cc: addresses.optional(),
    bcc: addresses.optional(),
    email_reply_to: z.string().optional(),
    email_format: z.enum(['html', 'text']).optional(),
    email_from_field: z.string().optional(),
    email_add_domain: z.string().optional(),
    smtp_host: z.string().default('localhost'),
    smtp_port: z.number().int().min(1).max(65_535).optional(),
    smtp_ssl: z.boolean().default(false),
    smtp_auth_file: z.string().min(1).optional(),
    /** Instead of the file. */
    smtp_user: secretOr(z.string().min(1)).optional(),
    smtp_password: secretOr(z.string()).optional(),
    smtp_ca_file: z.string().min(1).optional(),
    smtp_cert_file: z.string().min(1).optional(),
    smtp_key_file: z.string().min(1).optional(),
  },
  server: {
    addresses: ['smtp_host', 'smtp_port'],
    secrets: ['smtp_auth_file', 'smtp_user', 'smtp_password', 'smtp_cert_file', 'smtp_key_file'],
  },
  send: async (message, options, context) => {
    const auth = authOf(options, context)
    const read = (path: string | undefined): string | undefined =>
      path === undefined ? undefined : context.readFile(path)
    const transport = createTransport({
      host: options.smtp_host,
      port: options.smtp_port ?? (options.smtp_ssl ? 465 : 25),
      secure: options.smtp_ssl,
      requireTLS: auth !== undefined && !options.smtp_ssl,
      ...(auth ? { auth } : {}),
      connectionTimeout: context.timeoutMs,
      greetingTimeout: context.timeoutMs,
      socketTimeout: context.timeoutMs,
      tls: { ca: read(options.smtp_ca_file), cert: read(options.smtp_cert_file), key: read(options.smtp_key_file) },
    })
    const cancel = (): void => transport.close()
    context.signal.addEventListener('abort', cancel, { once: true })
    try {
      const { messageId: _own, ...mail } = mailOf(message, options)
      const sent = await transport.sendMail({ ...mail, messageId: _own })
      return `${options.smtp_host} answered ${sent.response}`
    } catch (thrown) {
      throw new AppError(
        alerterErrors.notify_failed,
        `${options.smtp_host} did not take the mail: ${messageOf(thrown)}`,
        { cause: thrown },
      )
    } finally {
      context.signal.removeEventListener('abort', cancel)
      transport.close()
    }
  },
})

interface MailOptions {
  readonly email: string[]
  readonly from_addr: string
  readonly cc?: string[] | undefined
  readonly bcc?: string[] | undefined
  readonly email_reply_to?: string | undefined
  readonly email_format?: 'html' | 'text' | undefined
  readonly email_from_field?: string | undefined
  readonly email_add_domain?: string | undefined
}

function mailOf(message: Message, options: MailOptions) {
  const body = options.email_format === 'html' ? { html: message.body } : { text: message.body }
  const { severity } = message.alerts[0].document.logstack.alert
  return {
    from: options.from_addr,
    to: receivers(message, options),
    ...(options.cc ? { cc: options.cc } : {}),
    ...(options.bcc ? { bcc: options.bcc } : {}),
    replyTo: options.email_reply_to ?? options.email,
    subject: message.subject,
    messageId: `<${message.id}@logstack>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Logstack-Severity': severity },
    ...body,
  }
}

// ElastAlert's `email_from_field`: the event names who is told.
function receivers(
  message: Message,
  { email: all, email_from_field: field, email_add_domain: domain }: MailOptions,
): string[] {
  if (field === undefined) return all
  const found = fieldOf(message, field)
  const suffix = domain === undefined ? '' : domain.startsWith('@') ? domain : `@${domain}`
  const named = (Array.isArray(found) ? found : [found]).filter((one) => typeof one === 'string')
  const full = named.map((one) => (one.includes('@') ? one : `${one}${suffix}`)).filter((one) => one.includes('@'))
  return full.length > 0 ? full : all
}

function authOf(
  options: {
    readonly smtp_auth_file?: string | undefined
    readonly smtp_user?: string | undefined
    readonly smtp_password?: string | undefined
  },
  context: Pick<ChannelContext, 'readFile'>,
): { user: string; pass: string } | undefined {
  if (options.smtp_auth_file !== undefined) {
    const account = readAccount(options.smtp_auth_file, context)
    if ('apikey' in account)
      throw new AppError(alerterErrors.notify_failed, `${options.smtp_auth_file} has no user and password`)
    return { user: account.user, pass: account.password }
  }
  return options.smtp_user === undefined ? undefined : { user: options.smtp_user, pass: options.smtp_password ?? '' }
}
