import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { flushFolder, writeFileAtomically } from '../places/write-file.ts'
import { encryptVault } from './ansible-format.ts'

/** Where a vault lies: a directory with one encrypted file a secret, and the file that holds the key. */
export interface VaultPlaces {
  readonly vaultDir: string
  readonly vaultKeyFile: string
}

// A change of the key has one moment at which it is decided: a folder with every secret under the new key, and that key, gets its name
// `.rekey`. Before it the old files count; after it the moves from the folder are done by whoever comes first, as often as it takes.
const decided = '.rekey'
const unfinished = '.rekey-unfinished'
const keyName = '.key'

/** Writes everything under the new key beside the vault and decides for it. `values` are by file name. */
export function prepareRekey(
  { vaultDir }: VaultPlaces,
  { values, newKey }: { readonly values: ReadonlyMap<string, string>; readonly newKey: string },
): void {
  const folder = join(vaultDir, unfinished)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { mode: 0o700 })
  for (const [name, value] of values) writeFileAtomically(join(folder, name), encryptVault(value, newKey), 0o600)
  writeFileAtomically(join(folder, keyName), `${newKey}\n`, 0o600)
  flushFolder(folder)
  renameSync(folder, join(vaultDir, decided))
  flushFolder(vaultDir)
}

/** Does what is left of a change of the key that was decided; nothing when there is none. */
export function finishRekey({ vaultDir, vaultKeyFile }: VaultPlaces): void {
  const folder = join(vaultDir, decided)
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    if (name !== keyName) move(join(folder, name), join(vaultDir, name))
  }
  flushFolder(vaultDir)
  // Last: as long as the key is here, the folder says that the change is not done.
  move(join(folder, keyName), vaultKeyFile)
  flushFolder(dirname(vaultKeyFile))
  rmSync(folder, { recursive: true, force: true })
}

// Another process that finishes the same change may have moved it just now.
function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown
  }
}
