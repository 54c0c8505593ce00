import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { host } from '../../places/host.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf, type Step } from '../define-step.ts'
import { baseOfImage, keepBase, keptBase } from './base-image.ts'
import { podmanLimits } from './podman-limits.ts'
import { digestOfCopy, digestToCome } from './program-copy.ts'

/** The label that tells which programs an image holds. */
export const programsLabel = 'logstack.programs'

/** The label that tells the id of the image it was built on. */
export const baseLabel = 'logstack.base'

/** The image of the five parts, built from the installed programs; `baseImage` is what it is built on, the last one used unless given. */
export function imageStep(baseImage: string | undefined): Step {
  return defineStep({
    name: 'image',
    title: 'container image',
    async diagnose({ paths }) {
      const digest = digestToCome(paths.programDir)
      const base = baseImage ?? baseOfImage()
      const isRight = digest !== undefined && base === baseOfImage() && (await isBuiltOf(digest, base))
      return findingOf(isRight ? [] : [buildArgv({ base, digest: digest ?? '<digest>', baseId: '<id>' }).join(' ')])
    },
    async apply() {
      const base = baseImage ?? baseOfImage()
      const before = keptBase()
      try {
        await runCommand(pruneArgv, { timeoutMs: podmanLimits.changeMs })
        const baseId = await fetchBase(base)
        // Kept before it is built on: after a power cut the repair goes on with the one that was asked for.
        keepBase(base)
        await runCommand(buildArgv({ base, digest: digestOfCopy() ?? '', baseId }), { timeoutMs: podmanLimits.buildMs })
      } catch (thrown) {
        keepBase(before)
        throw new AppError(operatorErrors.command_failed, `the image could not be built: ${messageOf(thrown)}`, {
          cause: thrown,
          fix: `if ${base} cannot be fetched, load one and name it: --base-image IMAGE (Debian 13 with Node 20)`,
        })
      }
    },
    async prove() {
      if ((await labelOf(programsLabel)) !== digestOfCopy()) throw unproven(`${host.image} does not hold the programs`)
    },
  })
}

/** Removes the images of earlier installations that no container uses. */
export const pruneArgv = ['podman', 'image', 'prune', '--force', '--filter', `label=${programsLabel}`]

/** Whether the image holds these programs, on the base as podman has it now; a base that podman has no more tells nothing. */
async function isBuiltOf(digest: string, base: string): Promise<boolean> {
  if ((await labelOf(programsLabel)) !== digest) return false
  const builtOn = await labelOf(baseLabel)
  const now = await fieldOf(base, '{{.Id}}')
  return !builtOn || now === undefined || builtOn === now
}

/** The base's id; fetches it where podman does not have it yet. */
async function fetchBase(base: string): Promise<string> {
  const known = await fieldOf(base, '{{.Id}}')
  if (known !== undefined) return known
  await runCommand(['podman', 'pull', '--quiet', base], { timeoutMs: podmanLimits.buildMs })
  return (await fieldOf(base, '{{.Id}}')) ?? ''
}

function labelOf(label: string): Promise<string | undefined> {
  return fieldOf(host.image, `{{index .Labels "${label}"}}`)
}

/** A field of an image in podman's storage; undefined when there is no such image. */
async function fieldOf(image: string, format: string): Promise<string | undefined> {
  const argv = ['podman', 'image', 'inspect', '--format', format, image]
  const { exitCode, stdout } = await runCommand(argv, { timeoutMs: podmanLimits.lookMs, accept: [125] })
  return exitCode === 0 ? stdout.trim() : undefined
}

function buildArgv(of: { readonly base: string; readonly digest: string; readonly baseId: string }): string[] {
  return [
    ...['podman', 'build', '--quiet', '--layers=false', '--network=none'],
    ...['--label', `${programsLabel}=${of.digest}`, '--label', `${baseLabel}=${of.baseId}`],
    ...['--tag', host.image, '--build-arg', `BASE_IMAGE=${of.base}`],
    ...['--file', `${host.programDir}/Containerfile`, host.programDir],
  ]
}
