import { AppError, alerterErrors, messageOf } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { z } from 'zod'
import { defineChannel, type Message } from './define-channel.ts'
import { fieldOf, filled } from './fields.ts'

/**
 * ElastAlert's `command`: a program with its arguments, in which `{field}` and `%(field)s` stand for the match's fields. A list is run as it
 * is; a text is a line for the shell and may hold no fields, as what an event says must never become a command.
 */
export const command = defineChannel({
  name: 'command',
  options: {
    command: z.union([
      z
        .string()
        .min(1)
        .refine((text) => !/%\(|\{[\w.]/u.test(text), 'a command with fields is a list: [program, argument, …]')
        .transform((line) => ['/bin/sh', '-c', line]),
      z.array(z.union([z.string(), z.number().transform(String)])).min(1),
    ]),
    pipe_match_json: z.boolean().default(false),
    pipe_alert_text: z.boolean().default(false),
    fail_on_non_zero_exit: z.boolean().default(false),
  },
  send: async (message, options, { timeoutMs }) => {
    const argv = options.command.map((word) => withFields(message, word))
    const matches = message.alerts.map(({ document }) => document.logstack.alert.match ?? {})
    const input = options.pipe_match_json ? `${JSON.stringify(matches)}\n` : options.pipe_alert_text ? message.body : ''
    try {
      const accept = options.fail_on_non_zero_exit ? [] : Array.from({ length: 256 }, (_, code) => code)
      const { exitCode } = await runCommand(argv, { timeoutMs, input, accept, outputBytesMax: 1_048_576 })
      return `${argv[0]} ended with ${exitCode}`
    } catch (thrown) {
      throw new AppError(alerterErrors.notify_failed, messageOf(thrown), { cause: thrown })
    }
  },
})

function withFields(message: Message, word: string): string {
  const old = word.replace(/%\(([^)]+)\)s/gu, (_whole, field: string) =>
    String(fieldOf(message, field) ?? '<MISSING VALUE>'),
  )
  return old === word ? filled(message, word) : old
}
