import { AppError, alerterErrors, messageOf } from '@logstack/errors'
import { parse } from 'yaml'
import { z } from 'zod'
import type { ChannelContext } from './define-channel.ts'

const accountSchema = z.object({ user: z.string().min(1), password: z.string(), apikey: z.string().optional() })

/** ElastAlert's account files: YAML with `user` and `password`, or `apikey` alone. A file that says neither is `notify_failed`. */
export function readAccount(
  path: string,
  context: Pick<ChannelContext, 'readFile'>,
): { readonly user: string; readonly password: string } | { readonly apikey: string } {
  let value: unknown
  try {
    value = parse(context.readFile(path), { maxAliasCount: 0 })
  } catch (cause) {
    throw new AppError(alerterErrors.notify_failed, `cannot read the account file ${path}: ${messageOf(cause)}`, {
      cause,
    })
  }
  const key = z.object({ apikey: z.string().min(1) }).safeParse(value)
  if (key.success) return key.data
  const account = accountSchema.safeParse(value)
  if (account.success) return account.data
  throw new AppError(alerterErrors.notify_failed, `the account file ${path} has no user and password`)
}
