import { containerName, startOrder } from '@logstack/contracts'

/** The agent of this machine, which the supervisor keeps running beside the five parts; it stops first. */
export const agentName = 'logstack-agent'

/** Names of everything that can run, in groups that stop together, first to stop first. */
export const stopOrder: readonly (readonly string[])[] = [
  [agentName],
  ...[...startOrder].reverse().map((group) => group.map(containerName)),
]
