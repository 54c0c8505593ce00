import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { z } from 'zod'
import { host } from '../../places/host.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf, type Step } from '../define-step.ts'
import { baseOfImage } from './base-image.ts'
import { podmanLimits } from './podman-limits.ts'

/** The folder a bundle unpacks to, and the two files in it that no checkout has. */
const folder = 'logstack'
const imageFile = 'base-image.tar'
const noteFile = 'bundle.json'

const noteSchema = z.object({
  version: z.literal(1),
  /** As `process.arch` says it. */
  architecture: z.string(),
  /** The image the stack's image is built on. */
  base_image: z.string(),
})

/** Writes and reads tar files of some hundred megabytes. */
const tarLimitMs = 600_000

/**
 * Writes all that an installation needs into one tar file: the installed programs, and the image theirs is built on. A host without a network
 * then builds the same image as this one did; it needs podman and Node.js.
 */
export async function createBundle(target: string): Promise<void> {
  const file = resolve(target)
  const baseImage = baseOfImage()
  mkdirSync(dirname(file), { recursive: true })
  const temporary = mkdtempSync(join(dirname(file), '.logstack-bundle-'))
  try {
    const saved = join(temporary, imageFile)
    const save = ['podman', 'save', '--quiet', '--format', 'oci-archive', '--output', saved, baseImage]
    await runCommand(save, { timeoutMs: podmanLimits.buildMs })
    const note = { version: 1, architecture: process.arch, base_image: baseImage } satisfies z.infer<typeof noteSchema>
    writeFileAtomically(join(temporary, noteFile), JSON.stringify(note))
    const programs = basename(host.programDir)
    const part = join(temporary, 'bundle.tar.gz')
    const argv = ['tar', '--create', '--use-compress-program=gzip -1', '--file', part, '--owner=0', '--group=0']
    argv.push(
      `--transform=s,^${programs},${folder},;s,^${imageFile}$,${folder}/${imageFile},;s,^${noteFile}$,${folder}/${noteFile},`,
    )
    argv.push('--directory', dirname(host.programDir), programs, '--directory', temporary, noteFile, imageFile)
    await runCommand(argv, { timeoutMs: tarLimitMs })
    renameSync(part, file)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** A bundle as an installation finds it: a tar file, or the folder it was unpacked to. */
export interface Bundle {
  readonly baseImage: string
  /** Puts the image into podman's storage. */
  load(): Promise<void>
}

/** The bundle in `file`, or the one `programDir` was unpacked from; undefined when there is neither. */
export async function findBundle(file: string | undefined, programDir: string): Promise<Bundle | undefined> {
  if (file !== undefined) return packedBundle(resolve(file))
  const note = join(programDir, noteFile)
  if (!existsSync(note)) return undefined
  return bundleOf(readFileSync(note, 'utf8'), note, () => loadImage(join(programDir, imageFile)))
}

async function packedBundle(file: string): Promise<Bundle> {
  const noBundle = (cause?: unknown): AppError =>
    new AppError(operatorErrors.option_invalid, `${file} is no bundle of logstack`, {
      cause,
      fix: 'make one on an installed host: sudo logstack bundle create FILE',
    })
  if (!existsSync(file)) throw noBundle()
  const extract = ['tar', '--extract', '--file', file, '--to-stdout', '--occurrence=1', `${folder}/${noteFile}`]
  const { exitCode, stdout } = await runCommand(extract, { timeoutMs: tarLimitMs, accept: [1, 2] })
  if (exitCode !== 0) throw noBundle()
  return bundleOf(stdout, file, async () => {
    const temporary = mkdtempSync(join(dirname(file), '.logstack-bundle-'))
    try {
      const argv = ['tar', '--extract', '--file', file, '--directory', temporary, `${folder}/${imageFile}`]
      await runCommand(argv, { timeoutMs: tarLimitMs })
      await loadImage(join(temporary, folder, imageFile))
    } finally {
      rmSync(temporary, { recursive: true, force: true })
    }
  })
}

function bundleOf(text: string, from: string, load: () => Promise<void>): Bundle {
  const note = noteSchema.parse(JSON.parse(text))
  if (note.architecture === process.arch) return { baseImage: note.base_image, load }
  throw new AppError(
    operatorErrors.option_invalid,
    `${from} is for ${note.architecture}, this host is ${process.arch}`,
    {
      fix: `make a bundle on a host with ${process.arch}`,
    },
  )
}

async function loadImage(file: string): Promise<void> {
  await runCommand(['podman', 'load', '--quiet', '--input', file], { timeoutMs: podmanLimits.buildMs })
}

/** The image of a bundle is in podman's storage, so that nothing is fetched from a network. */
export function loadBundle(bundle: Bundle): Step {
  return defineStep({
    name: 'bundle',
    title: 'image of the bundle',
    async diagnose() {
      return findingOf((await isThere(bundle)) ? [] : [`podman load ${bundle.baseImage}`])
    },
    apply: () => bundle.load(),
    async prove() {
      if (!(await isThere(bundle))) throw unproven(`podman has no image ${bundle.baseImage}`, 'podman images')
    },
  })
}

async function isThere(bundle: Bundle): Promise<boolean> {
  const argv = ['podman', 'image', 'exists', bundle.baseImage]
  return (await runCommand(argv, { timeoutMs: podmanLimits.lookMs, accept: [1] })).exitCode === 0
}
