import type { PolicyInput } from '@logstack/contracts'
import { expandPaths } from '../file/expand-paths.ts'

const journalFolders = ['/run/log/journal', '/var/log/journal']
const checkedEveryMs = 10_000
// What rsyslog and syslog-ng of Debian, Ubuntu, RHEL and SUSE write of what they take from the journal, docs/adr/0035.
const copies = new Set(
  [
    ...[
      'syslog',
      'messages',
      'auth.log',
      'secure',
      'kern.log',
      'daemon.log',
      'user.log',
      'debug',
      'warn',
      'localmessages',
    ],
    ...['cron', 'cron.log', 'lpr.log', 'maillog', 'mail', 'mail.log', 'mail.info', 'mail.warn', 'mail.err', 'spooler'],
  ].map((name) => `/var/log/${name}`),
)

/** Whether there are journal files in one of the folders, in which journald keeps them unless told. */
export function hasJournal(folders: readonly string[] = journalFolders): boolean {
  return folders.some((folder) =>
    ['*.journal', '*/*.journal'].some((files) => expandPaths(`${folder}/${files}`).length > 0),
  )
}

/** Tells the files that hold once more what is read from the journal. */
export type IsJournalCopy = (path: string) => boolean

/** For a policy with these inputs: no file is a copy unless the host's own journal is followed, and the host keeps one. */
export function journalCopies(
  inputs: readonly PolicyInput[],
  host: { readonly keepsJournal: () => boolean; readonly now: () => number },
): IsJournalCopy {
  // Another host's journal in a folder says nothing of this one's files.
  const isFollowed = inputs.some(
    ({ type, streams }) => type === 'journald' && streams.some((stream) => stream['directory'] === undefined),
  )
  let checked: { readonly at: number; readonly keeps: boolean } | undefined
  return (path) => {
    if (!isFollowed || !copies.has(path)) return false
    const now = host.now()
    if (!checked || now - checked.at >= checkedEveryMs) checked = { at: now, keeps: host.keepsJournal() }
    return checked.keeps
  }
}
