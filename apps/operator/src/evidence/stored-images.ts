import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readJsonFile } from '../places/read-json-file.ts'

/** An image as podman's storage holds it. */
export interface StoredImage {
  /** 64 hexadecimal digits. */
  readonly id: string
  readonly names: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

/** A container as podman's storage holds it. */
export interface StoredContainer {
  readonly names: readonly string[]
  /** The id of the image it was made of. */
  readonly image: string
}

const fix = 'podman cannot use it either; ask it with: podman system check'

const imagesSchema = z.array(z.object({ id: z.string(), names: z.array(z.string()).nullish() }))
const containersSchema = z.array(z.object({ names: z.array(z.string()).nullish(), image: z.string().nullish() }))
const configSchema = z.object({
  config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }).nullish(),
})

/**
 * The images in podman's storage, read from its files: podman may hang or be slow, and each of its commands takes its lock. Undefined where
 * podman keeps them elsewhere.
 */
export function storedImages(storageDir: string): StoredImage[] | undefined {
  const folder = join(storageDir, 'overlay-images')
  const file = join(folder, 'images.json')
  if (!existsSync(file)) return undefined
  return readJsonFile(file, imagesSchema, fix).map(({ id, names }) => ({
    id,
    names: names ?? [],
    labels: labelsOf(folder, id),
  }))
}

/** The containers in podman's storage, those that are removed when they stop included. */
export function storedContainers(storageDir: string): StoredContainer[] {
  return ['containers.json', 'volatile-containers.json']
    .map((name) => join(storageDir, 'overlay-containers', name))
    .filter((file) => existsSync(file))
    .flatMap((file) => readJsonFile(file, containersSchema, fix))
    .map(({ names, image }) => ({ names: names ?? [], image: image ?? '' }))
}

// containers/storage names a blob's file by its key in base64 behind `=`; an image's configuration has the image's id as its key.
function labelsOf(folder: string, id: string): Readonly<Record<string, string>> {
  const file = join(folder, id, `=${Buffer.from(`sha256:${id}`).toString('base64')}`)
  if (!existsSync(file)) return {}
  return readJsonFile(file, configSchema, fix).config?.Labels ?? {}
}
