import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { machine } from 'node:os'
import { join } from 'node:path'
import {
  type AgentCatalogue,
  type AgentExecutable,
  agentCatalogueSchema,
  agentExecutables,
  upgradeDataSchema,
} from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import type { z } from 'zod'
import { installScript } from './install-script.ts'

type PackedExecutable = `${AgentExecutable}.gz`
const packedExecutables = agentExecutables.map((name): PackedExecutable => `${name}.gz`)

/** Files that hosts download to become endpoints. */
export const installerFiles = ['agent.mjs', 'node', ...packedExecutables] as const
export type InstallerFile = (typeof installerFiles)[number]

/** The agent as agent-server hands it out: its program, the Node.js that runs agent-server, executables of it, and the script that installs it. */
export class Installer {
  readonly #ca: string
  readonly #folder: string
  readonly #hashes = new Map<InstallerFile, Promise<string>>()
  readonly #catalogue: AgentCatalogue

  /** `programFolder` holds `agent.mjs`, and `agents` with the executables that were built; `ca` is the PEM of the servers' authority. */
  constructor(programFolder: string, ca: string) {
    this.#ca = ca
    this.#folder = programFolder
    this.#catalogue = readCatalogue(join(programFolder, 'agents', 'agents.json'))
  }

  /** The path of a file; `agent_not_offered` where this installation lacks it. */
  path(file: InstallerFile): string {
    const path = this.#place(file)
    if (existsSync(path)) return path
    throw new AppError(agentsErrors.agent_not_offered, `this agent-server has no ${file} to hand out`, {
      fix: file.endsWith('.gz')
        ? 'npm run build:agents, and install the stack again'
        : 'npm run build, or install the stack again',
    })
  }

  /** The script for hosts that reach agent-server at `url`, and its SHA-256 in hexadecimal. */
  async script(url: string): Promise<{ text: string; sha256: string }> {
    const [agentSha256, nodeSha256] = await Promise.all([this.#hash('agent.mjs'), this.#hash('node')])
    const executables = this.#catalogue
    const text = installScript({ url, ca: this.#ca, agentSha256, machine: machine(), nodeSha256, executables })
    return { text, sha256: createHash('sha256').update(text).digest('hex') }
  }

  /** What an agent that runs `program` is upgraded to; `agent_not_offered` where this installation lacks that. */
  async upgradeOf(program: string | undefined): Promise<z.infer<typeof upgradeDataSchema>> {
    const name = agentExecutables.find((known) => known === program)
    if (name === undefined) return { sha256: await this.#hash('agent.mjs') }
    this.path(`${name}.gz`)
    return upgradeDataSchema.parse(this.#catalogue[name])
  }

  #place(file: InstallerFile): string {
    if (file === 'node') return process.execPath
    return file.endsWith('.gz') ? join(this.#folder, 'agents', file) : join(this.#folder, file)
  }

  /** Read once: programs do not change under a running process. */
  #hash(file: InstallerFile): Promise<string> {
    const known = this.#hashes.get(file) ?? hashOf(this.path(file))
    this.#hashes.set(file, known)
    known.catch(() => this.#hashes.delete(file))
    return known
  }
}

/** What the build says there is; nothing where no executables were built. */
function readCatalogue(path: string): AgentCatalogue {
  return existsSync(path) ? agentCatalogueSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : {}
}

async function hashOf(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer)
  return digest.digest('hex')
}
