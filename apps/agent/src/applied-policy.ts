import { setMaxListeners } from 'node:events'
import type { AgentPolicy, PolicyInput } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { InputContext } from './inputs/input.ts'
import { hasJournal, journalCopies } from './inputs/journald/journal-copies.ts'
import { inputTypeOf } from './inputs/registry.ts'
import { Output, type OutputOptions } from './output/output.ts'
import { outputHosts } from './output/output-hosts.ts'
import { pause } from './pause.ts'
import type { Spool } from './spool/spool.ts'
import type { UnitStates } from './unit-states.ts'

const restartMs = 5_000

/** What a policy is applied with. */
export interface PolicyContext {
  readonly spool: Spool
  readonly logger: Logger
  readonly states: UnitStates
  readonly extraLogPaths: readonly string[]
  /** Where inputs keep what they know between starts; it exists. */
  readonly stateFolder: string
  /** Where the agent checks in. */
  readonly agentServerUrl: string
  readonly output: Omit<OutputOptions, 'spool' | 'logger' | 'hosts' | 'report'>
}

/** A policy at work: its inputs and its output run until `stop`. */
export interface AppliedPolicy {
  readonly policy: AgentPolicy
  stop(): Promise<void>
}

/** Starts the inputs and the output of a policy. An input that fails is shown as failed; the others go on. */
export function applyPolicy(policy: AgentPolicy, context: PolicyContext): AppliedPolicy {
  const stopping = new AbortController()
  // Every stream of every input waits for it; that is no leak.
  setMaxListeners(0, stopping.signal)
  context.states.forgetInputs()
  const hosts = outputHosts(policy.outputs['default']?.hosts ?? [], context.agentServerUrl)
  const output = new Output({
    ...context.output,
    hosts,
    spool: context.spool,
    logger: context.logger,
    report: (status, message, reason) =>
      context.states.report('default', { component: 'logstack', type: 'output', status, message, reason }),
  })
  const isJournalCopy = journalCopies(policy.inputs, { keepsJournal: () => hasJournal(), now: () => Date.now() })
  const running = [
    output.run(stopping.signal),
    ...policy.inputs.map((input) => runInput(input, { ...context, isJournalCopy }, stopping.signal)),
  ]
  return {
    policy,
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

async function runInput(
  input: PolicyInput,
  context: PolicyContext & Pick<InputContext, 'isJournalCopy'>,
  signal: AbortSignal,
): Promise<void> {
  const report = (unit: string, status: 'STARTING' | 'FAILED', message: string): void =>
    context.states.report(unit, { component: input.type, type: 'input', status, message })
  const type = inputTypeOf(input.type)
  if (!type) return report(input.id, 'FAILED', `this agent has no input ${input.type}`)
  if (type.platform !== undefined && type.platform !== process.platform) return
  while (!signal.aborted) {
    try {
      await type.run(input, {
        spool: context.spool,
        logger: context.logger,
        signal,
        extraLogPaths: context.extraLogPaths,
        isJournalCopy: context.isJournalCopy,
        stateFolder: context.stateFolder,
        report: (streamId, status, message) =>
          context.states.report(streamId, { component: input.type, type: 'input', status, message }),
      })
      return
    } catch (thrown) {
      context.logger.error({ err: thrown, input: input.id }, `an input failed and starts again: ${messageOf(thrown)}`)
      report(input.id, 'FAILED', messageOf(thrown))
      await pause(restartMs, signal)
    }
  }
}
