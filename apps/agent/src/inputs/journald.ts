import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { PolicyStream } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { z } from 'zod'
import { pause } from '../pause.ts'
import { type InputContext, type InputType, numberOf } from './input.ts'
import { hasJournal } from './journald/journal-copies.ts'
import { journalEvent } from './journald/journal-event.ts'

const restartMs = 5_000
const recordsPerAppend = 500
const lineBytesMax = 1024 * 1024
const defaultFirstHours = 24
const bookmarkSchema = z.object({ cursor: z.string() })

/**
 * Follows the host's journal through `journalctl` and its cursor; reads the last `first_hours` when first started; `directory` names journal files
 * elsewhere. Where there is no journalctl or no journal the stream is degraded and says so.
 */
export const journaldInput: InputType = {
  type: 'journald',
  platform: 'linux',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => followJournal(stream, context)))
  },
}

async function followJournal(stream: PolicyStream, context: InputContext): Promise<void> {
  while (!context.signal.aborted) {
    // journalctl itself waits without a word where there is nothing to follow, and does not notice a journal that begins later.
    const directory = stream['directory']
    const isThere = typeof directory === 'string' ? hasJournal([directory]) : hasJournal()
    const reason = isThere ? await followOnce(stream, context) : 'this host keeps no journal'
    if (context.signal.aborted) return
    context.report(stream.id, 'DEGRADED', reason)
    await pause(restartMs, context.signal)
  }
}

/** Arguments that start the journal behind the bookmark, or at the newest hours. */
function journalArguments(stream: PolicyStream, source: string, context: InputContext): string[] {
  const { data: bookmark } = bookmarkSchema.safeParse(context.spool.bookmark(source))
  const from = bookmark
    ? [`--after-cursor=${bookmark.cursor}`]
    : [`--since=-${numberOf(stream, 'first_hours', defaultFirstHours)}h`]
  const directory = stream['directory']
  const where = typeof directory === 'string' ? [`--directory=${directory}`] : []
  return ['--follow', '--output=json', '--all', '--no-pager', ...where, ...from]
}

type Journalctl = ChildProcessByStdio<null, Readable, Readable>

/** Runs journalctl until it ends or the input does; returns why it ended. */
async function followOnce(stream: PolicyStream, context: InputContext): Promise<string> {
  const source = `journald:${stream.id}`
  const child: Journalctl = spawn('journalctl', journalArguments(stream, source, context), {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let reason = 'journalctl ended'
  const ended = new Promise<void>((resolve) => {
    child.on('error', (thrown: NodeJS.ErrnoException) => {
      reason = thrown.code === 'ENOENT' ? 'journalctl is not installed on this host' : messageOf(thrown)
      resolve()
    })
    child.on('close', () => resolve())
  })
  child.on('spawn', () => context.report(stream.id, 'HEALTHY', 'following the journal'))
  child.stderr.on('data', (bytes: Buffer) => {
    const text = bytes.toString('utf8').trim().slice(0, 500)
    if (text === '') return
    reason = text
    context.report(stream.id, 'DEGRADED', reason)
  })
  const stop = (): void => {
    child.kill('SIGTERM')
  }
  context.signal.addEventListener('abort', stop)
  try {
    await copyEntries(child, { stream, source, context })
    await ended
  } finally {
    context.signal.removeEventListener('abort', stop)
    stop()
  }
  return reason
}

/** Reads entries as fast as the spool takes them: an unread pipe is what makes journalctl wait. */
async function copyEntries(
  child: Journalctl,
  to: { readonly stream: PolicyStream; readonly source: string; readonly context: InputContext },
): Promise<void> {
  const { stream, source, context } = to
  let pending = ''
  child.stdout.setEncoding('utf8')
  for await (const chunk of child.stdout) {
    const lines = (pending + String(chunk)).split('\n')
    pending = lines.pop() ?? ''
    if (pending.length > lineBytesMax) pending = ''
    const entries = lines.flatMap((line) => journalEvent(line) ?? [])
    for (let at = 0; at < entries.length; at += recordsPerAppend) {
      const records = entries.slice(at, at + recordsPerAppend).map(({ event, cursor }) => ({
        data_stream: stream.data_stream,
        event,
        source,
        bookmark: { cursor },
      }))
      if (!(await context.spool.append(records, context.signal))) return
    }
  }
}
