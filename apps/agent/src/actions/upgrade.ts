import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { agentApiPaths, upgradeDataSchema } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import type { ActionType } from './action-type.ts'

const programBytesMax = 64 * 1024 * 1024
const downloadTimeoutMs = 300_000
const trialMs = 180_000
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Where an upgrade keeps the program before, and how often the new one was started since; `run`, which starts the agent, reads both. */
function upgradeFiles(program: string) {
  return { previous: `${program}.previous`, starts: `${program}.starts`, launcher: join(dirname(program), 'run') }
}

/** SHA-256 in hexadecimal of the program that runs. */
export function programHash(program: string): string {
  return hashOf(readFileSync(program))
}

/**
 * `UPGRADE`: downloads the program that agent-server hands out, checks its hash, and goes on as that program; the one before stays until the new one
 * has checked in. Only where the installer's `run` starts the agent: it brings the one before back when the new one cannot start.
 */
export const upgradeAction: ActionType = {
  type: 'UPGRADE',
  async perform(data, { client, program, signal }) {
    const { sha256 } = upgradeDataSchema.parse(data)
    const { previous, starts, launcher } = upgradeFiles(program)
    if (!existsSync(launcher)) {
      throw new AppError(
        agentsErrors.action_not_allowed,
        `${program} was not installed by the line of the page Agents`,
        {
          fix: 'upgrade the stack: its own agent goes with it',
        },
      )
    }
    accessSync(dirname(program), constants.W_OK)
    if (programHash(program) === sha256) return { message: 'this program is the one that is handed out' }
    const bytes = await client.download(agentApiPaths.program, {
      bytesMax: programBytesMax,
      timeoutMs: downloadTimeoutMs,
      signal,
    })
    if (hashOf(bytes) !== sha256) {
      throw new AppError(agentsErrors.server_refused, 'the downloaded program is not the one that was announced')
    }
    writeFileSync(`${program}.new`, bytes, { mode: 0o644, flush: true })
    copyFileSync(program, previous)
    writeFileSync(starts, '0\n')
    renameSync(`${program}.new`, program)
    return { message: 'the new program checked in', data: { sha256 }, restart: 'program' }
  },
}

/** The time in which a new program has to check in. */
export interface Trial {
  /** It has checked in: there is no way back to the one before. */
  passed(): void
  /** Ends the wait; what is not decided yet is at the next start. */
  end(): void
}

/** Puts this program on trial if it is new: when it has not checked in after `limitMs`, the one before is put back for the next start, and `failed` called. */
export function startTrial(program: string, failed: () => void, limitMs: number = trialMs): Trial {
  const { previous, starts } = upgradeFiles(program)
  let isOpen = existsSync(previous)
  const timer = setTimeout(() => {
    if (!isOpen) return
    isOpen = false
    renameSync(previous, program)
    rmSync(starts, { force: true })
    failed()
  }, limitMs)
  timer.unref()
  return {
    passed() {
      if (!isOpen) return
      isOpen = false
      rmSync(starts, { force: true })
      rmSync(previous, { force: true })
    },
    end: () => clearTimeout(timer),
  }
}
