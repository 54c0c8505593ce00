import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import type { PartName } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { containerUserOf } from '../places/container-users.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import { loadDefinitions } from '../quadlet/load.ts'
import type { Stack } from '../stack.ts'

/** File systems in memory (statfs(2)): tmpfs and ramfs. */
const inMemory: readonly number[] = [0x01021994, 0x858458f6]

/** The names of the secrets that people keep for a part: those that begin with the part's name and a dot. */
export function peopleSecretsOf(vault: Pick<Stack['vault'], 'names'>, part: string): string[] {
  return vault.names().filter((name) => name.startsWith(`${part}.`))
}

/** Where the container of a part finds its secrets on the host. */
function secretsDirOf(paths: Pick<Stack['paths'], 'runDir'>, part: PartName): string {
  return join(paths.runDir, 'secrets', part)
}

/**
 * Puts the secrets of a part as files into memory, readable by the part's own user only, and takes away what it has no more. The directory
 * stays the same one, so a running container sees the new files. On the host only; the embedded runtime's supervisor does its own.
 */
export function deliverSecrets(stack: Pick<Stack, 'paths' | 'vault'>, part: PartName): void {
  const { paths, vault } = stack
  const user = containerUserOf(paths, part)
  if (!user) throw new Error('BUG: the supervisor of an embedded stack delivers its secrets')
  const dir = secretsDirOf(paths, part)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (!inMemory.includes(statfsSync(dir).type)) {
    throw new AppError(operatorErrors.host_unfit, `${paths.runDir} is not in memory: secrets would lie on the disk`, {
      fix: 'mount -t tmpfs tmpfs /run',
    })
  }
  chmodSync(dir, 0o500)
  chownSync(dir, user.uid, user.gid)
  const names = [...(loadDefinitions(paths).get(part)?.secrets ?? []), ...peopleSecretsOf(vault, part)]
  for (const name of names) {
    const file = join(dir, name)
    writeFileAtomically(file, vault.read(name), 0o400, user)
  }
  for (const old of readdirSync(dir).filter((name) => !names.includes(name))) rmSync(join(dir, old), { force: true })
}

/** Brings the secrets of a part that runs up to date; nothing happens where none were delivered. */
export function refreshSecrets(stack: Pick<Stack, 'paths' | 'vault'>, part: PartName): void {
  if (stack.paths.root === '' && existsSync(secretsDirOf(stack.paths, part))) deliverSecrets(stack, part)
}
