import type { PublishedPort } from '../quadlet/container.ts'

/** A port that other machines must reach. */
export interface OpenPort {
  readonly port: number
  readonly protocol: PublishedPort['protocol']
  /** The container that publishes it. */
  readonly container: string
}

/** What shall be let through, and nothing else of this host. */
export interface Opening {
  readonly ports: readonly OpenPort[]
  /** The bridge of the containers: they ask the host for names, and may reach out. Undefined where nothing runs in containers. */
  readonly bridge: string | undefined
}

/** Runs a command and answers its standard output; `undefined` when it is not installed or failed. */
export type Look = (argv: readonly string[]) => Promise<string | undefined>

/** One program that filters packets on this host. Its commands are shown to people before they are run. */
export interface Firewall {
  readonly name: string
  /** Whether its own rules outlive a restart of the host. */
  readonly keepsRules: boolean
  /** Whether it filters here now. */
  isActive(look: Look): Promise<boolean>
  /** The commands that are still needed for the opening; empty when all of it is open. */
  missing(opening: Opening, look: Look): Promise<string[][]>
  /** The commands that take away what was opened here, but what `kept` needs. */
  removal(opening: Opening, look: Look, kept?: Opening): Promise<string[][]>
}

/** The mark of our own rules, so that no other is ever touched. */
export const ruleMark = 'logstack'
