import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openSealed } from '@logstack/passwords'
import { z } from 'zod'
import { handoverDir } from '../places/handover-dir.ts'
import { isNoneThere, readPlainFile, withFolder } from '../places/held-folder.ts'
import type { Paths } from '../places/paths.ts'
import type { Stack } from '../stack.ts'
import { type OnWork, storeAccepted } from './change-password.ts'
import { tryPassword } from './try-password.ts'

const fileSchema = z.object({ version: z.literal(1), sealed: z.string() })
const contentSchema = z.object({ username: z.string(), password: z.string() })

/** What became of a password that search left for the operator. */
export interface HandedOver {
  readonly username: string
  /** `stored`: it is the secret now. `known`: it was already, or the vault does not keep this user's. `outdated`: search does not accept it. `unreadable`: sealed for another key. */
  readonly outcome: 'stored' | 'known' | 'outdated' | 'unreadable'
}

/** The key that search seals passwords with for the operator. */
export function operatorPublicKeyFile(paths: Pick<Paths, 'certsVolume'>): string {
  return join(paths.certsVolume, 'operator.pub')
}

/**
 * Takes over the passwords that `elasticsearch-reset-password` set inside search: each is proved by a login, stored, and the part that uses
 * it restarted; the sealed file is removed then. Call it with the operator's lock held. Throws `part_unreachable` when search does not answer.
 */
export async function adoptHandedOver(stack: Stack, onWork: OnWork = () => undefined): Promise<HandedOver[]> {
  const adopted: HandedOver[] = []
  for (const file of handedOver(stack.paths)) {
    const handover = readHandover(stack.paths, file)
    if (!handover) {
      // Nobody can ever read it, and as long as it lies there it is found again and again.
      remove(file)
      adopted.push({ username: basename(file), outcome: 'unreadable' })
      continue
    }
    const { username, password } = handover
    const login = await tryPassword(stack, username, password)
    const changed = login === 'accepted' && (await storeAccepted(stack, username, password, onWork))
    remove(file)
    adopted.push({ username, outcome: login === 'refused' ? 'outdated' : changed ? 'stored' : 'known' })
  }
  return adopted
}

/** A sealed password is some hundred bytes. */
const fileBytesMax = 65_536

function textOf(file: string): string | undefined {
  return withFolder(dirname(file), (held) => readPlainFile(join(held, basename(file)), fileBytesMax))
}

/** A change inside search takes less than this; what is still hidden then was left by a search that ended in between. */
const changeMsMax = 60_000

/**
 * The sealed files that search left. One whose name begins with a dot was written, but search ended before it was shown: what it holds may
 * be in effect.
 */
export function handedOver(paths: Pick<Paths, 'volume'>): string[] {
  const folder = handoverDir(paths)
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name))
    .filter((file) => !basename(file).startsWith('.') || isOld(file))
}

/** The folder is search's own, so it may be a link to one of the host by now: then nothing of it is read or removed. */
function namesIn(folder: string): string[] {
  try {
    return withFolder(folder, (held) => readdirSync(held))
  } catch (thrown) {
    if (isNoneThere(thrown)) return []
    throw thrown
  }
}

function remove(file: string): void {
  withFolder(dirname(file), (held) => rmSync(join(held, basename(file)), { force: true }))
}

function isOld(file: string): boolean {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > changeMsMax
}

function readHandover(paths: Paths, file: string): z.infer<typeof contentSchema> | undefined {
  const privateKey = readFileSync(paths.operatorKeyFile, 'utf8')
  try {
    const { sealed } = fileSchema.parse(JSON.parse(textOf(file) ?? ''))
    return contentSchema.parse(JSON.parse(openSealed(sealed, privateKey)))
  } catch (thrown) {
    if (thrown instanceof Error) return undefined
    throw thrown
  }
}
