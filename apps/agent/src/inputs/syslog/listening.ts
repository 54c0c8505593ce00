/** What both ways of listening need. */
export interface SyslogListening {
  readonly host: string
  readonly port: number
  readonly messageBytesMax: number
  readonly connectionsMax: number
  /** Resolves once the spool has the messages: who waits for it makes senders wait. */
  readonly take: (messages: readonly string[], sender: string) => Promise<unknown>
  /** Something was lost or refused that was no fault of this host. */
  readonly complain: (message: string) => void
  /** The listener broke. */
  readonly broken: (reason: Error) => void
}

/** An IPv4 address as such, also where a socket for both kinds took it. */
export function plainAddress(address: string | undefined): string {
  const text = address ?? ''
  return text.startsWith('::ffff:') ? text.slice('::ffff:'.length) : text
}
