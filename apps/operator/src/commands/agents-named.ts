import type { Command } from 'commander'

/** What agent-server answers of an enrolled agent. */
export interface AgentAnswer {
  readonly id: string
  readonly host_name?: string
  readonly status: string
  readonly agent_version?: string
  readonly policy_id: string
  readonly last_checkin?: string
}

/** The enrolled agents that go by these ids or names of hosts; a name that none or several have is an error of the command. */
export function agentsNamed(command: Command, agents: readonly AgentAnswer[], names: readonly string[]): AgentAnswer[] {
  return names.map((name) => {
    const fitting = agents.filter(({ id, host_name }) => id === name || host_name === name)
    const [agent] = fitting
    if (agent && fitting.length === 1) return agent
    const ids = fitting.map(({ id }) => id).join(', ')
    const said = agent ? `${fitting.length} hosts are called ${name}: name one of ${ids}` : `no host is called ${name}`
    return command.error(`${said} (logstack agent list --json)`, { exitCode: 2 })
  })
}
