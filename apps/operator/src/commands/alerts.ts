import { AppError, operatorErrors } from '@logstack/errors'
import type { Command } from 'commander'
import { z } from 'zod'
import { alerterArgv } from './alerter-program.ts'
import { type RegisterCommand, stackOf } from './command.ts'

const testTimeoutMs = 120_000
const answerSchema = z.object({ ok: z.boolean(), said: z.string() })

/** `logstack alerts test CHANNEL`: sends one alert and says what came back. */
export const registerAlerts: RegisterCommand = (program, context) => {
  program
    .command('alerts')
    .description('channels that are told of alerts')
    .command('test')
    .argument('<channel>', 'the channel: email, slack, http_post, …')
    .description('send a test alert through a channel, with what rules/channels.yml gives it')
    .addHelpText('after', '\nExample:\n  logstack alerts test email')
    .action(async (channel: string, _options: unknown, command: Command) => {
      const stack = stackOf(command, context)
      const argv = alerterArgv(stack, 'send-test')
      const input = JSON.stringify({ channel })
      const { stdout } = await stack.runtime.exec('alerter', argv, { timeoutMs: testTimeoutMs, input })
      stack.clients.close()
      const { ok, said } = answerSchema.parse(JSON.parse(stdout))
      if (!ok) {
        const fix = `see ${stack.paths.rulesDir}/channels.yml, then try again: ./logstack alerts test ${channel}`
        throw new AppError(operatorErrors.rules_refused, `${channel}: ${said}`, { fix })
      }
      context.say(`sent through ${channel}: ${said}`)
    })
}
