import { createHash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { agentApiPaths, upgradeDataSchema } from '@logstack/contracts'
import { AppError, agentsErrors } from '@logstack/errors'
import { ownExecutable } from '../own-program.ts'
import type { ActionType } from './action-type.ts'

const programBytesMax = 512 * 1024 * 1024
const downloadTimeoutMs = 900_000
const trialMs = 180_000
const hashBytes = 1024 * 1024

/** Where an upgrade keeps the program before, and how often the new one was started since; `run`, which starts the agent, reads both. */
function upgradeFiles(program: string) {
  return { previous: `${program}.previous`, starts: `${program}.starts`, launcher: join(dirname(program), 'run') }
}

/** SHA-256 in hexadecimal of a program, read piece by piece: an executable is larger than what the agent may hold. */
export function programHash(program: string): string {
  const digest = createHash('sha256')
  const file = openSync(program, 'r')
  try {
    const chunk = Buffer.allocUnsafe(hashBytes)
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      digest.update(chunk.subarray(0, read))
  } finally {
    closeSync(file)
  }
  return digest.digest('hex')
}

/**
 * `UPGRADE`: downloads the program that agent-server hands out, checks its hash, and goes on as that program; the one before stays until the new one
 * has checked in. Only where the installer's `run` starts the agent: it brings the one before back when the new one cannot start.
 */
export const upgradeAction: ActionType = {
  type: 'UPGRADE',
  async perform(data, { client, program, signal }) {
    const { sha256, bytes } = upgradeDataSchema.parse(data)
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
    const executable = ownExecutable()
    await client.download(
      executable === undefined ? agentApiPaths.program : executablePath(executable),
      `${program}.new`,
      {
        bytesMax: Math.min(bytes ?? programBytesMax, programBytesMax),
        timeoutMs: downloadTimeoutMs,
        signal,
        isPacked: executable !== undefined,
      },
    )
    if (programHash(`${program}.new`) !== sha256) {
      rmSync(`${program}.new`)
      throw new AppError(agentsErrors.server_refused, 'the downloaded program is not the one that was announced')
    }
    chmodSync(`${program}.new`, executable === undefined ? 0o644 : 0o755)
    // A second name instead of a copy; at each moment there is a program to start.
    rmSync(previous, { force: true })
    linkSync(program, previous)
    writeFileSync(starts, '0\n')
    renameSync(`${program}.new`, program)
    return { message: 'the new program checked in', data: { sha256 }, restart: 'program' }
  },
}

const executablePath = (name: string): string => agentApiPaths.executable.replace(':name', name)

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
