import { join } from 'node:path'
import { accountOf } from '@logstack/contracts'
import { type PartContext, type RunningPart, readCertificates, readSecret } from '@logstack/part'
import { SearchClient } from '@logstack/search-client'
import { readDecoderFiles } from './decoders/decoder-file.ts'
import { Decoders } from './decoders/decoders.ts'
import { readDetections } from './detections/detection-set.ts'
import { Detections } from './detections/detections.ts'
import type { RunningInput } from './inputs/input.ts'
import { OtherProtocols } from './inputs/other-protocols.ts'
import { inputs } from './inputs/registry.ts'
import { CurrentState } from './inventory/current-state.ts'
import { InputLosses } from './outputs/input-losses.ts'
import { SearchOutput } from './outputs/search-output.ts'
import { reportCounts, SourceCounts } from './outputs/source-counts.ts'
import type { EndpointManagerSettings } from './settings.ts'
import { Vulnerabilities } from './vulnerabilities/vulnerabilities.ts'

const part = 'endpoint-manager'
const shippedRules = new URL('../rules', import.meta.url).pathname

/** Starts endpoint-manager: reads the decoders, then opens every input the environment asks for. */
export async function startEndpointManager(context: PartContext<EndpointManagerSettings>): Promise<RunningPart> {
  const { environment, logger } = context
  const { searchCa } = readCertificates(environment, part)
  const { username } = accountOf(part)
  const credentials = { username, password: readSecret(environment, username) }
  const search = new SearchClient({ url: environment.searchUrl, ca: searchCa, credentials })
  const rules = environment.env['LOGSTACK_RULES_DIR'] ?? shippedRules
  const { files, problems } = readDecoderFiles(join(rules, 'decoders'))
  for (const problem of problems) logger.error({ fix: problem.fix }, problem.message)
  logger.info({ decoders: files.map((file) => file.name) }, 'decoders')
  const now = (): number => Date.now()
  const losses = new InputLosses(now)
  const set = readDetections(rules)
  for (const problem of set.problems) logger.error(`a detection is left out: ${problem}`)
  const detections = new Detections(set, {
    search,
    logger,
    dataDir: environment.dataDir,
    now,
    silenceMs: () => context.settings.get('detections.silence_seconds') * 1000,
    losses,
  })
  const state = new CurrentState({ search, logger, losses })
  const counts = new SourceCounts(now)
  const everyMs = (): number => context.settings.get('vulnerabilities.check_seconds') * 1000
  const vulnerabilities = new Vulnerabilities({ search, logger, now, everyMs })
  const output = new SearchOutput(search, logger, [
    (event) => detections.look(event),
    (event) => state.look(event),
    (event) => counts.look(event),
  ])
  const stopCounts = reportCounts([counts, losses], (documents) => output.write(documents), logger)
  const otherProtocols = new OtherProtocols()
  const services = {
    ...context,
    search,
    decoders: new Decoders(files),
    rulesDir: rules,
    output,
    losses,
    counts,
    now,
    otherProtocols,
  }
  const running: RunningInput[] = []
  for (const input of inputs) {
    const started = await input.start(services)
    if (started) running.push(started)
  }
  return {
    async stop() {
      await Promise.all(running.map((input) => input.stop()))
      await Promise.all([detections.stop(), state.stop(), vulnerabilities.stop()])
      await stopCounts()
      search.close()
    },
    reload() {
      for (const input of running) input.reload?.()
    },
  }
}
