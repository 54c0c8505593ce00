import { existsSync, readFileSync, rmSync } from 'node:fs'
import { host } from '../../places/host.ts'
import { writeFileAtomically } from '../../places/write-file.ts'

/** What the Containerfile names. */
const shippedBase = 'docker.io/library/node:20-trixie-slim'

/** The name of the image the stack's image is built on. */
export function baseOfImage(): string {
  return keptBase() ?? shippedBase
}

/** The base that was asked for; undefined when none ever was. */
export function keptBase(): string | undefined {
  return existsSync(host.baseImageFile) ? readFileSync(host.baseImageFile, 'utf8').trim() : undefined
}

/** Keeps a base for the next time the image is built; undefined forgets the one that was kept. */
export function keepBase(base: string | undefined): void {
  if (base === undefined) rmSync(host.baseImageFile, { force: true })
  else if (base !== keptBase()) writeFileAtomically(host.baseImageFile, `${base}\n`)
}
