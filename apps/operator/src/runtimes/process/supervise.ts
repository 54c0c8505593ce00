import { containerName, parts } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { createLogger } from '@logstack/logging'
import { httpsProbe } from '@logstack/part'
import { logFileOf } from '../../places/paths.ts'
import { agentName } from '../../places/process-names.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import type { EmbeddedStack } from '../../stack.ts'
import { peopleSecretsOf } from '../../vault/deliver-secrets.ts'
import { agentSpecOf } from './agent-spec.ts'
import { type ChildSpec, childSpecOf } from './child-spec.ts'
import { keepStack } from './keep-stack.ts'
import { lookPeriodically } from './periodic-look.ts'
import { Supervisor } from './supervisor.ts'

/** The life of the supervisor's process: listens, and ends after a shutdown was asked for or a signal came. */
export async function supervise(stack: EmbeddedStack): Promise<void> {
  const logger = createLogger('supervisor')
  const { paths, ports, vault } = stack
  const supervisor = new Supervisor({
    runDir: paths.runDir,
    probe: httpsProbe(paths.caFile),
    readSecret: (name) => vault.read(name),
    names: [...parts.map(containerName), agentName],
    logFileOf: (name) => logFileOf(paths, name),
    specOf: (name, secretsDir) => specOf(stack, name, secretsDir),
    onShutdown: () => {
      logger.info('stopped')
      // The answer to whoever asked is on its way; nothing else is left to do.
      setImmediate(() => process.exit(0))
    },
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      logger.info({ signal }, 'stopping')
      void supervisor.shutdown()
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (thrown: unknown) => {
      logger.fatal({ err: thrown }, `${event}: ${messageOf(thrown)}`)
      void supervisor.shutdown()
    })
  }
  await supervisor.listen()
  keepStack(stack, process.argv[1] ?? '', logger)
  lookPeriodically({ program: process.argv[1] ?? '', dataDir: paths.root, logger })
  logger.info({ data: paths.root, port_offset: ports.offset }, 'ready')
}

function specOf(stack: EmbeddedStack, name: string, secretsDir: string): ChildSpec {
  const { paths, ports } = stack
  if (name === agentName) return agentSpecOf(paths)
  const [part, definition] = [...loadDefinitions(paths)].find(([, candidate]) => candidate.name === name) ?? []
  if (!part || !definition) throw new Error(`BUG: no definition of ${name} in ${paths.quadletDir}`)
  const spec = childSpecOf(definition, { paths, ports, secretsDir })
  return { ...spec, secrets: [...spec.secrets, ...peopleSecretsOf(stack.vault, part)] }
}
