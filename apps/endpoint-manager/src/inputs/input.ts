import type { Logger } from '@logstack/logging'
import type { PartEnvironment } from '@logstack/part'
import type { SearchClient } from '@logstack/search-client'
import type { LiveSettings } from '@logstack/settings'
import type { Decoders } from '../decoders/decoders.ts'
import type { InputLosses } from '../outputs/input-losses.ts'
import type { SearchOutput } from '../outputs/search-output.ts'
import type { SourceCounts } from '../outputs/source-counts.ts'
import type { EndpointManagerSettings } from '../settings.ts'
import type { OtherProtocols } from './other-protocols.ts'

/** What an input gets from the part. */
export interface InputServices {
  readonly environment: PartEnvironment
  readonly settings: LiveSettings<EndpointManagerSettings>
  readonly logger: Logger
  readonly search: SearchClient
  readonly decoders: Decoders
  /** The folder of decoders, detections and what else says how events are treated. */
  readonly rulesDir: string
  readonly output: SearchOutput
  readonly losses: InputLosses
  /** Told how far the clocks of agents' hosts are off. */
  readonly counts: Pick<SourceCounts, 'heard'>
  readonly now: () => number
  /** Where inputs take connections to the port of the agents' HTTPS that speak another protocol. */
  readonly otherProtocols: OtherProtocols
}

/** A started input. `stop` takes nothing new and resolves when all that was taken is stored. */
export interface RunningInput {
  stop(): Promise<void>
  /** After SIGHUP: certificates may be new. */
  reload?(): void
}

/** A way events come in. `start` resolves when it listens, and to undefined where the environment does not ask for it. */
export interface Input {
  readonly name: string
  start(services: InputServices): Promise<RunningInput | undefined>
}
