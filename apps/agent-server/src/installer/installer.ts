import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { machine } from 'node:os'
import { join } from 'node:path'
import { AppError, agentsErrors } from '@logstack/errors'
import { installScript } from './install-script.ts'

/** Files that hosts download to become endpoints. */
export const installerFiles = ['agent.mjs', 'node'] as const
export type InstallerFile = (typeof installerFiles)[number]

/** The agent as agent-server hands it out: its program, the Node.js that runs agent-server, and the script that installs both. */
export class Installer {
  readonly #ca: string
  readonly #paths: Readonly<Record<InstallerFile, string>>
  readonly #hashes = new Map<InstallerFile, Promise<string>>()

  /** `programFolder` holds `agent.mjs`; `ca` is the PEM of the servers' authority. */
  constructor(programFolder: string, ca: string) {
    this.#ca = ca
    this.#paths = { 'agent.mjs': join(programFolder, 'agent.mjs'), node: process.execPath }
  }

  /** The path of a file; `agent_not_offered` where this installation lacks it. */
  path(file: InstallerFile): string {
    const path = this.#paths[file]
    if (existsSync(path)) return path
    throw new AppError(agentsErrors.agent_not_offered, `this agent-server has no ${file} to hand out`, {
      fix: 'npm run build, or install the stack again',
    })
  }

  /** The script for hosts that reach agent-server at `url`, and its SHA-256 in hexadecimal. */
  async script(url: string): Promise<{ text: string; sha256: string }> {
    const [agentSha256, nodeSha256] = await Promise.all([this.#hash('agent.mjs'), this.#hash('node')])
    const text = installScript({ url, ca: this.#ca, agentSha256, machine: machine(), nodeSha256 })
    return { text, sha256: createHash('sha256').update(text).digest('hex') }
  }

  /** SHA-256 in hexadecimal of the agent's program that is handed out. */
  agentSha256(): Promise<string> {
    return this.#hash('agent.mjs')
  }

  /** Read once: programs do not change under a running process. */
  #hash(file: InstallerFile): Promise<string> {
    const known = this.#hashes.get(file) ?? hashOf(this.path(file))
    this.#hashes.set(file, known)
    known.catch(() => this.#hashes.delete(file))
    return known
  }
}

async function hashOf(path: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer)
  return digest.digest('hex')
}
