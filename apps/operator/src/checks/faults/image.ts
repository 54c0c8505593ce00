import { join } from 'node:path'
import { containerName, type PartName, parts } from '@logstack/contracts'
import { defineFault } from '../../doctor/define-fault.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { type StoredContainer, type StoredImage, storedContainers, storedImages } from '../../evidence/stored-images.ts'
import { restartCommands, restartParts } from '../../mending/restart-parts.ts'
import { host } from '../../places/host.ts'
import { baseOfImage } from '../../steps/host/base-image.ts'
import { baseLabel, imageStep, programsLabel } from '../../steps/host/image.ts'
import { digestOfCopy } from '../../steps/host/program-copy.ts'

/** What is wrong with the image and with what runs of it. */
export interface ImageTrouble {
  readonly image: 'right' | 'missing' | 'outdated'
  /** Parts whose containers were made of an image with other programs than are installed, or of one on another base than the image is now. */
  readonly outdated: readonly PartName[]
}

const digestShown = 12

/**
 * The image of the parts is gone, or it, or what runs of it, holds other programs than are installed: an upgrade was cut off. Or the image was
 * built anew on a newer base, and parts still run of the one before.
 */
export const image = defineFault<ImageTrouble>({
  name: 'image',
  title: 'container image',
  runtimes: ['podman'],
  explainedBy: ['container-runtime', 'mounts'],
  async diagnose({ stack }) {
    const storageDir = join(stack.paths.volumesDir, '..')
    const images = storedImages(storageDir)
    if (!images) return { status: 'unknown', why: `${storageDir} holds no images: podman keeps them elsewhere` }
    const installed = digestOfCopy()
    const found = lookAt(storageDir, images)
    if (found.image === 'right' && found.outdated.length === 0) {
      const notes = notesOf(images, leftByBuilds(storedContainers(storageDir)))
      return notes.length > 0
        ? { status: 'information', detail: notes.join('; ') }
        : { status: 'healthy', detail: host.image }
    }
    const outdated = found.outdated.map(containerName)
    return {
      status: 'fault',
      problem: problemOf(found),
      evidence: [
        `${storageDir}/overlay-images lists ${images.length} images${found.image === 'missing' ? ', none of this name' : ''}`,
        ...(found.image === 'outdated' ? [`the programs of ${host.image}: ${digestOf(images)}`] : []),
        ...outdated.map((name) => `${name} was made of an image with other programs, or on another base`),
        ...(found.image === 'missing'
          ? []
          : [`the programs of ${host.programDir}: ${installed?.slice(0, digestShown)}`]),
      ],
      meaning:
        found.image === 'missing'
          ? 'parts that run go on; none can be started or restarted'
          : 'parts run other programs, or an older Node.js and system, than the command that looks after them has for them',
      found,
    }
  },
  plan: ({ stack }, found) => [
    ...(found.image === 'right'
      ? []
      : [
          `podman build --network=none --tag ${host.image} --file ${host.programDir}/Containerfile ${host.programDir}   # with the options of logstack install`,
        ]),
    ...restartCommands(found.outdated),
    ...startAllCommands(stack),
  ],
  async repair({ stack }, found, progress) {
    let { outdated } = found
    if (found.image !== 'right') {
      const step = imageStep(undefined)
      progress.waiting('building the image')
      await step.apply(stack, progress)
      await step.prove(stack)
      // Built on a newer base than before, it leaves more parts behind than those of other programs.
      outdated = lookAt(join(stack.paths.volumesDir, '..')).outdated
    }
    await restartParts(stack, outdated, progress)
    await startAll(stack, progress)
  },
})

function lookAt(storageDir: string, images = storedImages(storageDir) ?? []): ImageTrouble {
  return imageTrouble({ images, containers: storedContainers(storageDir), installed: digestOfCopy() })
}

function notesOf(images: readonly StoredImage[], left: readonly string[]): string[] {
  const base = baseOfImage()
  return [
    ...(baseIsNewer(images, base)
      ? [`podman has another ${base} than the image was built on: sudo logstack install --yes builds it anew`]
      : []),
    // A build that runs has them, too, and people who use buildah: so they are not removed here.
    ...(left.length > 0
      ? [
          `builds that were cut off leave their containers on the disk; if nobody uses them: podman rm ${left.join(' ')}`,
        ]
      : []),
  ]
}

/** The names of containers that builds work in: they are removed at its end, and stay when it is killed or the power goes. */
export function leftByBuilds(containers: readonly StoredContainer[]): string[] {
  return containers.flatMap(({ names }) => names.filter((name) => /(^|-)working-container(-\d+)?$/.test(name)))
}

/** Whether podman has another image under the base's name than the one the parts' image was built on. */
export function baseIsNewer(images: readonly StoredImage[], base: string): boolean {
  const builtOn = images.find(({ names }) => names.includes(host.image))?.labels[baseLabel]
  const now = images.find(({ names }) => names.includes(base))?.id
  return Boolean(builtOn) && now !== undefined && builtOn !== now
}

function problemOf(found: ImageTrouble): string {
  if (found.image === 'missing') return `the image ${host.image} is missing`
  if (found.image === 'outdated') return `the image ${host.image} holds other programs than are installed`
  const names = found.outdated.map(containerName).join(', ')
  return `${names} ${found.outdated.length === 1 ? 'runs' : 'run'} of another image than ${host.image} is now`
}

function digestOf(images: readonly StoredImage[]): string {
  const named = images.find(({ names }) => names.includes(host.image))
  return named?.labels[programsLabel]?.slice(0, digestShown) ?? 'unknown'
}

/** Compares the image of the parts, and the images their containers were made of, with the digest of the installed programs and with each other. */
export function imageTrouble(of: {
  readonly images: readonly StoredImage[]
  readonly containers: readonly StoredContainer[]
  readonly installed: string | undefined
}): ImageTrouble {
  const labelsOf = new Map(of.images.map(({ id, labels }) => [id, labels]))
  const named = of.images.find(({ names }) => names.includes(host.image))
  const differs = (digest: string | undefined): boolean => of.installed !== undefined && digest !== of.installed
  const outdated = parts.filter((part) => {
    const container = of.containers.find(({ names }) => names.includes(containerName(part)))
    const labels = container && labelsOf.get(container.image)
    // An image that was removed while its container runs tells nothing.
    if (!labels) return false
    return differs(labels[programsLabel]) || (named !== undefined && labels[baseLabel] !== named.labels[baseLabel])
  })
  if (!named) return { image: 'missing', outdated }
  return { image: differs(named.labels[programsLabel]) ? 'outdated' : 'right', outdated }
}
