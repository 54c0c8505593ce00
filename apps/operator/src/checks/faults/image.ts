import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { host } from '../../places/host.ts'
import { imageStep } from '../../steps/host/image.ts'
import { defineFault } from './define-fault.ts'

const imagesSchema = z.array(z.object({ id: z.string(), names: z.array(z.string()).nullish() }))

/** The image of the parts is gone: they run on, and none can start again. */
export const image = defineFault<undefined>({
  name: 'image',
  title: 'container image',
  runtimes: ['podman'],
  explainedBy: ['container-runtime'],
  async diagnose({ stack }) {
    // Read from its file: podman may hang or be slow, and each of its commands takes its lock.
    const file = join(stack.paths.volumesDir, '../overlay-images/images.json')
    if (!existsSync(file)) return { status: 'unknown', why: `${file} is not there: podman keeps its images elsewhere` }
    const images = imagesSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    if (images.some(({ names }) => names?.includes(host.image))) return { status: 'healthy', detail: host.image }
    return {
      status: 'fault',
      problem: `the image ${host.image} is missing`,
      evidence: [`${file} lists ${images.length} images, none of this name`],
      meaning: 'parts that run go on; none can be started or restarted',
      found: undefined,
    }
  },
  plan: ({ stack }) => [
    `podman build --network=none --tag ${host.image} --file ${host.programDir}/Containerfile ${host.programDir}   # with the options of logstack install`,
    ...startAllCommands(stack),
  ],
  async repair({ stack }, _found, progress) {
    const step = imageStep(undefined)
    progress.waiting('building the image')
    await step.apply(stack, progress)
    await step.prove(stack)
    await startAll(stack, progress)
  },
})
