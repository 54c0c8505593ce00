import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

const dockerSchema = z.looseObject({
  Name: z.string().optional(),
  Config: z.looseObject({ Image: z.string().optional() }).optional(),
})
const podmanSchema = z.array(
  z.looseObject({ id: z.string(), names: z.array(z.string()).optional(), metadata: z.string().optional() }),
)
const podmanMetadataSchema = z.looseObject({ 'image-name': z.string().optional(), name: z.string().optional() })

/** What ECS says of a container. */
export interface ContainerFacts {
  readonly id: string
  readonly name?: string | undefined
  readonly runtime: 'docker' | 'podman'
  readonly image?: { readonly name: string } | undefined
}

/** The container that a log file belongs to, as far as the runtime's own files tell. */
export function containerOf(path: string): ContainerFacts {
  const docker = /\/containers\/([0-9a-f]{12,64})\/[^/]+-json\.log/.exec(path)?.[1]
  if (docker !== undefined) {
    const found = readJson(join(dirname(path), 'config.v2.json'), dockerSchema)
    const image = found?.Config?.Image
    return {
      id: docker,
      name: found?.Name?.replace(/^\//, ''),
      runtime: 'docker',
      image: image ? { name: image } : undefined,
    }
  }
  const id = /\/overlay-containers\/([0-9a-f]{12,64})\//.exec(path)?.[1] ?? 'unknown'
  const list = readJson(join(path.slice(0, path.indexOf(`/${id}/`)), 'containers.json'), podmanSchema)
  const own = list?.find((candidate) => candidate.id === id)
  const metadata = own?.metadata === undefined ? undefined : parse(own.metadata, podmanMetadataSchema)
  const image = metadata?.['image-name']
  return { id, name: own?.names?.[0], runtime: 'podman', image: image ? { name: image } : undefined }
}

function readJson<T>(path: string, schema: z.ZodType<T>): T | undefined {
  try {
    return parse(readFileSync(path, 'utf8'), schema)
  } catch (thrown) {
    // The container is gone, or its files are not ours to read: its lines come without a name.
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown
    return undefined
  }
}

function parse<T>(text: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}
