import { setTimeout as sleep } from 'node:timers/promises'
import { parts as allParts, containerName, type PartName, startOrder } from '@logstack/contracts'
import { AppError, isAppError, operatorErrors } from '@logstack/errors'
import { noSuchName } from '../help/no-such-name.ts'
import { PartFailures, partsFailed } from './part-failures.ts'
import { lastWords } from './process/log-file.ts'
import type { PartStatus, Runtime } from './runtime.ts'
import { newestLines, VainWaits } from './vain-waits.ts'

/** How long parts may take to become ready (search may have to recover much data), how often the runtime is asked, and how many failed starts end the wait. */
const startLimits = {
  searchReadyTimeoutMs: 600_000,
  readyTimeoutMs: 180_000,
  pollMs: 25,
  podmanPollMs: 1_000,
  failedStartsMax: 3,
} as const

const logLinesMax = 60

/** How often a listing that did not answer in time is asked for. */
const listTries = 3

/** Called while something is waited for, with the parts that are not ready yet. */
export type OnWait = (waitingFor: readonly PartStatus[]) => void

/** `vainMs`: how long a part that runs may say the same of what it waits for; as long as the wait may take unless given. */
export interface WaitOptions {
  readonly vainMs?: number
}

/**
 * Starts parts in their order, each group after the one before it is ready. A part that does not start keeps none from starting but those
 * that need it; in the end it is told with `part_failed`.
 */
export async function startInOrder(
  runtime: Runtime,
  parts: readonly PartName[],
  onWait?: OnWait,
  options?: WaitOptions,
): Promise<void> {
  const failures = new PartFailures()
  for (const group of startOrder) {
    const possible = group.filter((part) => parts.includes(part) && !failures.lackOf([part]))
    if (possible.length === 0) continue
    await Promise.all(possible.map((part) => runtime.start(part)))
    try {
      await waitReady(runtime, possible, onWait, options)
    } catch (thrown) {
      failures.keep(thrown)
    }
  }
  failures.throwAny()
}

/** Stops parts in reverse order, a group at a time. */
export async function stopInOrder(runtime: Runtime, parts: readonly PartName[] = allParts): Promise<void> {
  for (const group of [...startOrder].reverse()) {
    await Promise.all(group.filter((part) => parts.includes(part)).map((part) => runtime.stop(part)))
  }
}

/**
 * Waits until each of the parts is ready or has failed; `part_failed` with what those said that keep ending, wait in vain, or are late. One that
 * failed and became ready while others were waited for did not fail.
 */
export async function waitReady(
  runtime: Runtime,
  parts: readonly PartName[],
  onWait?: OnWait,
  { vainMs }: WaitOptions = {},
): Promise<void> {
  const vain = vainMs === undefined ? undefined : new VainWaits(runtime, vainMs)
  const limitMs = parts.includes('search') ? startLimits.searchReadyTimeoutMs : startLimits.readyTimeoutMs
  const deadline = performance.now() + limitMs
  const failures = new Map<PartName, AppError>()
  for (;;) {
    const unready = (await lookAt(runtime, parts)).filter((status) => !status.ready)
    const open = unready.filter(({ part }) => !failures.has(part))
    if (performance.now() > deadline) {
      for (const status of open) failures.set(status.part, await lateFailure(runtime, status, limitMs))
    }
    for (const status of open.filter(({ failedStarts = 0 }) => failedStarts >= startLimits.failedStartsMax))
      failures.set(status.part, partFailed(status, `${status.name} does not start`))
    const stuck = await vain?.find(open)
    if (stuck) failures.set(stuck.part, partFailed(stuck, `${stuck.name} runs and is not ready`))
    const waiting = open.filter(({ part }) => !failures.has(part))
    if (waiting.length === 0) {
      const lasting = unready.flatMap(({ part }) => failures.get(part) ?? [])
      if (lasting.length === 0) return
      throw partsFailed(lasting)
    }
    onWait?.(waiting)
    // podman is asked less often: every question takes its lock, and time of the processor that the starting parts want.
    await sleep(runtime.kind === 'podman' ? startLimits.podmanPollMs : startLimits.pollMs)
  }
}

async function lateFailure(runtime: Runtime, status: PartStatus, limitMs: number): Promise<AppError> {
  const words = status.lastWords ?? (await lastWordsOf(runtime, status.part))
  const said = { ...status, ...(words ? { lastWords: words } : {}) }
  return partFailed(said, `${status.name} is not ready after ${limitMs / 1000} s`)
}

/** The runtime's listing; one that comes late is asked for again, as a busy host is not a hanging one. */
export async function listPatiently(runtime: Runtime): Promise<PartStatus[]> {
  for (let left = listTries; ; left--) {
    try {
      return await runtime.list()
    } catch (thrown) {
      const isLate = isAppError(thrown) && thrown.code === operatorErrors.command_timed_out.code
      if (!isLate || left <= 1) throw thrown
    }
  }
}

// What it waits for itself: it runs, so nothing but its log tells.
async function lastWordsOf(runtime: Runtime, part: PartName): Promise<string | undefined> {
  return lastWords(await newestLines(runtime, part, logLinesMax))
}

async function lookAt(runtime: Runtime, parts: readonly PartName[]): Promise<PartStatus[]> {
  const found: PartStatus[] = []
  for (const status of (await listPatiently(runtime)).filter(({ part }) => parts.includes(part))) {
    found.push((await runtime.inspect?.(status)) ?? status)
  }
  return found
}

function partFailed(status: PartStatus, message: string): AppError {
  const said = status.lastWords ? `: ${status.lastWords}` : ''
  return new AppError(operatorErrors.part_failed, `${message}${said}`, {
    detail: { parts: [status.part] },
    fix: isPortTaken(said)
      ? './logstack doctor names the program that uses the port'
      : `find out why, and mend it, with: ./logstack doctor; its log: ./logstack logs ${status.part}`,
  })
}

function isPortTaken(words: string): boolean {
  return words.includes('EADDRINUSE')
}

/** The part a person means by its short or its container's name; `option_invalid` with the names there are. */
export function parsePart(text: string): PartName {
  const found = allParts.find((part) => part === text || containerName(part) === text)
  if (found) return found
  throw noSuchName('part', text, allParts)
}
