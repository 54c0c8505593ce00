import { join } from 'node:path'
import { containerName, type PartName, parts } from '@logstack/contracts'
import { defineFault } from '../../doctor/define-fault.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { type StoredContainer, type StoredImage, storedContainers, storedImages } from '../../evidence/stored-images.ts'
import { restartCommands, restartParts } from '../../mending/restart-parts.ts'
import { host } from '../../places/host.ts'
import { imageStep, programsLabel } from '../../steps/host/image.ts'
import { digestOfCopy } from '../../steps/host/program-copy.ts'

/** What is wrong with the image and with what runs of it. */
export interface ImageTrouble {
  readonly image: 'right' | 'missing' | 'outdated'
  /** Parts whose containers were made of an image with other programs than are installed. */
  readonly outdated: readonly PartName[]
}

const digestShown = 12

/** The image of the parts is gone, or it, or what runs of it, holds other programs than are installed: an upgrade was cut off. */
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
    const found = imageTrouble({ images, containers: storedContainers(storageDir), installed })
    if (found.image === 'right' && found.outdated.length === 0) return { status: 'healthy', detail: host.image }
    const outdated = found.outdated.map(containerName)
    return {
      status: 'fault',
      problem: problemOf(found),
      evidence: [
        `${storageDir}/overlay-images lists ${images.length} images${found.image === 'missing' ? ', none of this name' : ''}`,
        ...(found.image === 'outdated' ? [`the programs of ${host.image}: ${digestOf(images)}`] : []),
        ...outdated.map((name) => `${name} was made of an image with other programs`),
        ...(found.image === 'missing'
          ? []
          : [`the programs of ${host.programDir}: ${installed?.slice(0, digestShown)}`]),
      ],
      meaning:
        found.image === 'missing'
          ? 'parts that run go on; none can be started or restarted'
          : 'parts run another version than the command that looks after them, and than their settings and definitions are for',
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
    if (found.image !== 'right') {
      const step = imageStep(undefined)
      progress.waiting('building the image')
      await step.apply(stack, progress)
      await step.prove(stack)
    }
    await restartParts(stack, found.outdated, progress)
    await startAll(stack, progress)
  },
})

function problemOf(found: ImageTrouble): string {
  if (found.image === 'missing') return `the image ${host.image} is missing`
  if (found.image === 'outdated') return `the image ${host.image} holds other programs than are installed`
  return `${found.outdated.map(containerName).join(', ')} ${found.outdated.length === 1 ? 'runs' : 'run'} other programs than are installed`
}

function digestOf(images: readonly StoredImage[]): string {
  const named = images.find(({ names }) => names.includes(host.image))
  return named?.labels[programsLabel]?.slice(0, digestShown) ?? 'unknown'
}

/** Compares the image of the parts, and the images their containers were made of, with the digest of the installed programs. */
export function imageTrouble(of: {
  readonly images: readonly StoredImage[]
  readonly containers: readonly StoredContainer[]
  readonly installed: string | undefined
}): ImageTrouble {
  const programs = new Map(of.images.map(({ id, labels }) => [id, labels[programsLabel]]))
  const named = of.images.find(({ names }) => names.includes(host.image))
  const differs = (digest: string | undefined): boolean => of.installed !== undefined && digest !== of.installed
  const outdated = parts.filter((part) => {
    const container = of.containers.find(({ names }) => names.includes(containerName(part)))
    // An image that was removed while its container runs tells nothing.
    return container !== undefined && programs.has(container.image) && differs(programs.get(container.image))
  })
  if (!named) return { image: 'missing', outdated }
  return { image: differs(named.labels[programsLabel]) ? 'outdated' : 'right', outdated }
}
