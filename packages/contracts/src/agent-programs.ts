import { z } from 'zod'

/** The systems for which the agent is built as one executable. */
export const agentSystems = ['linux-x64', 'linux-arm64', 'windows-x64'] as const

export type AgentExecutable = `logstack-agent-${(typeof agentSystems)[number]}`

/** The executables by name; on agent-server each lies packed by gzip beside `agents.json`. */
export const agentExecutables: readonly AgentExecutable[] = agentSystems.map(
  (system) => `logstack-agent-${system}` as const,
)

/**
 * How Node.js runs the agent, and what it must find in its environment (docs/adr/0038). New objects alone take up to 48 MB without a limit; threads that
 * help with so small a heap, and compilers that optimise what does so little, cost more than they save; malloc keeps an arena a thread, and ever more
 * of what was freed unless it is told from which size on to give it back.
 */
export const agentRuntime = {
  options: ['--max-semi-space-size=1', '--optimize-for-size', '--single-threaded-gc', '--no-opt', '--no-maglev'],
  environment: { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_TRIM_THRESHOLD_: '131072' },
} as const

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** `agents.json`, as the build writes it: what there is, and the hashes of both forms. */
export const agentCatalogueSchema = z.record(
  z.string(),
  z.looseObject({ sha256, bytes: z.number().int().min(1), packed_sha256: sha256 }),
)

export type AgentCatalogue = z.infer<typeof agentCatalogueSchema>

/** The name of the executable for a machine as Node.js names it; undefined where there is none. */
export function executableFor(platform: string, arch: string): AgentExecutable | undefined {
  const name = `logstack-agent-${platform === 'win32' ? 'windows' : platform}-${arch}`
  return agentExecutables.find((known) => known === name)
}
