import { text } from 'node:stream/consumers'
import { accountOf } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { readCertificates, readPartEnvironment, readSecret } from '@logstack/part'
import { SearchClient } from '@logstack/search-client'
import { LiveSettings } from '@logstack/settings'
import { channelSurroundings } from '../channels/surroundings.ts'
import { placesBeside, RulesReader } from '../rule-files/rules-folder.ts'
import { alerterSettings } from '../settings.ts'
import { checkRules } from './check-rules.ts'
import { sendTest } from './send-test.ts'
import { trialInputSchema, tryRule } from './try-rule.ts'

const shownMax = 1000
const tryMsMax = 480_000

/** What the alerter's program does besides running rules, for the operator: JSON on its input, JSON on its output. */
const commands = ['check-rules', 'try-rule', 'send-test'] as const

/** Whether the program was asked for one of them. */
export function commandOf(argv: readonly string[]): (typeof commands)[number] | undefined {
  return commands.find((command) => command === argv[2])
}

/** Runs a command in the alerter's own environment and writes its answer. */
export async function runCommand(command: (typeof commands)[number]): Promise<void> {
  const environment = readPartEnvironment(process.env)
  const settings = new LiveSettings(alerterSettings, { file: environment.configFile, env: process.env })
  const rulesDir = environment.env['LOGSTACK_RULES_DIR'] ?? 'rules/alerts'
  const places = placesBeside(rulesDir)
  const { username } = accountOf('alerter')
  const client = new SearchClient({
    url: environment.searchUrl,
    ca: readCertificates(environment, 'alerter').searchCa,
    credentials: { username, password: readSecret(environment, username) },
  })
  const input = await text(process.stdin)
  const context = {
    logger: createLogger('alerter', 'warn'),
    signal: new AbortController().signal,
    ...channelSurroundings({ settings, environment, client, rulesDir }),
  }
  const answer =
    command === 'check-rules'
      ? await checkRules(input, places)
      : command === 'try-rule'
        ? await tryRule(trialInputSchema.parse(JSON.parse(input)), client, await new RulesReader(places).read(), {
            shownMax,
            now: Date.now,
            until: Date.now() + tryMsMax,
          })
        : await sendTest(input, context, places, Date.now())
  client.close()
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
