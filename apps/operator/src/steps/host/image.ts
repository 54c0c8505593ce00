import { existsSync, readFileSync } from 'node:fs'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { host } from '../../places/host.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf, type Step } from '../define-step.ts'
import { podmanLimits } from './podman-limits.ts'
import { digestOfCopy, digestToCome } from './program-copy.ts'

/** What the Containerfile names. */
const shippedBase = 'docker.io/library/node:20-trixie-slim'

/** The label that tells which programs an image holds. */
export const programsLabel = 'logstack.programs'

/** The image of the five parts, built from the installed programs; `baseImage` is what it is built on, the last one used unless given. */
export function imageStep(baseImage: string | undefined): Step {
  return defineStep({
    name: 'image',
    title: 'container image',
    async diagnose({ paths }) {
      const digest = digestToCome(paths.programDir)
      const isRight = digest !== undefined && (await programsOf(host.image)) === digest
      return findingOf(isRight ? [] : [buildArgv(baseImage ?? keptBase(), digest ?? '<digest>').join(' ')])
    },
    async apply() {
      const base = baseImage ?? keptBase()
      try {
        await runCommand(pruneArgv, { timeoutMs: podmanLimits.changeMs })
        await runCommand(buildArgv(base, digestOfCopy() ?? ''), { timeoutMs: podmanLimits.buildMs })
      } catch (thrown) {
        throw new AppError(operatorErrors.command_failed, `the image could not be built: ${messageOf(thrown)}`, {
          cause: thrown,
          fix: `if ${base ?? 'the base image'} cannot be fetched, load one and name it: --base-image IMAGE (Debian 13 with Node 20)`,
        })
      }
      if (base !== undefined) writeFileAtomically(host.baseImageFile, `${base}\n`)
    },
    async prove() {
      if ((await programsOf(host.image)) !== digestOfCopy()) throw unproven(`${host.image} does not hold the programs`)
    },
  })
}

/** Removes the images of earlier installations that no container uses. */
export const pruneArgv = ['podman', 'image', 'prune', '--force', '--filter', `label=${programsLabel}`]

/** The image the stack's image was built on. */
export function baseOfImage(): string {
  return keptBase() ?? shippedBase
}

function keptBase(): string | undefined {
  return existsSync(host.baseImageFile) ? readFileSync(host.baseImageFile, 'utf8').trim() : undefined
}

async function programsOf(image: string): Promise<string | undefined> {
  const argv = ['podman', 'image', 'inspect', '--format', `{{index .Labels "${programsLabel}"}}`, image]
  const { exitCode, stdout } = await runCommand(argv, { timeoutMs: podmanLimits.lookMs, accept: [125] })
  return exitCode === 0 ? stdout.trim() : undefined
}

function buildArgv(base: string | undefined, digest: string): string[] {
  const argv = [
    'podman',
    'build',
    '--quiet',
    '--layers=false',
    '--network=none',
    '--label',
    `${programsLabel}=${digest}`,
    '--tag',
    host.image,
  ]
  if (base !== undefined) argv.push('--build-arg', `BASE_IMAGE=${base}`)
  return [...argv, '--file', `${host.programDir}/Containerfile`, host.programDir]
}
