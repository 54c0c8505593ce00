import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { messageOf } from '@logstack/errors'
import { placeOf, splitEvents } from './split-events.ts'

const timeoutMs = 60_000
const outputBytesMax = 64 * 1024 * 1024

/** What asking a channel came to: its events as XML, or why it could not be read. */
export type ChannelAnswer = { readonly events: string[] } | { readonly reason: string }

/** Windows' own tool, https://learn.microsoft.com/windows-server/administration/windows-commands/wevtutil; elsewhere what the search path has. */
function toolPath(): string {
  const root = process.env['SystemRoot']
  return process.platform === 'win32' && root ? join(root, 'System32', 'wevtutil.exe') : 'wevtutil'
}

/** The oldest `count` events of a channel that fit the query, with their messages in the host's language. */
export function queryChannel(
  from: { readonly channel: string; readonly query: string; readonly count: number },
  signal: AbortSignal,
): Promise<ChannelAnswer> {
  return runTool([`/q:${from.query}`, `/c:${from.count}`, '/rd:false'], from.channel, signal)
}

/** The record id of a channel's newest event; undefined when it is empty or cannot be read. */
export async function newestRecord(channel: string, signal: AbortSignal): Promise<number | undefined> {
  const answer = await runTool(['/c:1', '/rd:true'], channel, signal)
  const [newest] = 'events' in answer ? answer.events : []
  return newest === undefined ? undefined : placeOf(newest)?.recordId
}

function runTool(options: readonly string[], channel: string, signal: AbortSignal): Promise<ChannelAnswer> {
  const argv = ['qe', channel, ...options, '/f:RenderedXml', '/uni:true']
  const limits = {
    encoding: 'buffer',
    timeout: timeoutMs,
    maxBuffer: outputBytesMax,
    signal,
    windowsHide: true,
  } as const
  return new Promise((resolve) => {
    execFile(toolPath(), argv, limits, (failed, stdout, stderr) => {
      if (!failed) return resolve({ events: splitEvents(readText(stdout)) })
      const said = readText(stderr).trim().replace(/\s+/g, ' ').slice(0, 500)
      const isMissing = (failed as NodeJS.ErrnoException).code === 'ENOENT'
      resolve({ reason: isMissing ? 'this host has no Windows Event Log' : said || messageOf(failed) })
    })
  })
}

/** With `/uni:true` it writes UTF-16, with or without a mark in front; its own errors may come in the console's code page. */
function readText(bytes: Buffer): string {
  const isWide = bytes.length >= 2 && (bytes[1] === 0 || (bytes[0] === 0xff && bytes[1] === 0xfe))
  return bytes.toString(isWide ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '')
}
