import { AppError, operatorErrors } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { type FileSystem, fileSystemsOf, freeWords, isShort, sizeWords } from '../../evidence/file-systems.ts'
import {
  type GrowableVolume,
  growableVolume,
  growthCommands,
  readMount,
  volumeQuestions,
} from '../../evidence/logical-volumes.ts'

const groupBytesFreeMin = 256 * 1024 ** 2
const growthLimitMs = 300_000

/** A file system of the stack is short of space while its volume group has some left: what an installer that takes half the disk leaves behind. */
export const logicalVolume = defineFault<readonly GrowableVolume[]>({
  name: 'logical-volume',
  title: 'logical volumes',
  async diagnose(context) {
    const looked = await Promise.all(fileSystemsOf(context.stack).map((system) => volumeOf(context, system)))
    const known = looked.flatMap((volume) => (volume ? [volume] : []))
    if (known.length === 0) return { status: 'healthy', detail: 'the stack lies on none' }
    const free = known.filter(({ volume }) => volume.groupBytesFree >= groupBytesFreeMin)
    const wanted = free.filter(({ system }) => isShort(system))
    const words = free.map(({ volume }) => `${sizeWords(volume.groupBytesFree)} in the volume group ${volume.group}`)
    if (wanted.length === 0 && free.length > 0) {
      return { status: 'information', detail: `not used yet: ${words.join(', ')}` }
    }
    if (wanted.length === 0) return { status: 'healthy', detail: 'all of the volume group is used' }
    return {
      status: 'fault',
      problem: `the disk is short of space while ${words.join(', ')} is not used`,
      evidence: wanted.map(({ system, volume }) => `${volume.mount.target} (${volume.device}): ${freeWords(system)}`),
      meaning: 'events will be refused when it is full, though the disk has room',
      found: wanted.map(({ volume }) => volume),
    }
  },
  plan: (_context, volumes) =>
    volumes.flatMap((volume) => growthCommands(volume)?.map((argv) => argv.join(' ')) ?? [cannotGrow(volume)]),
  async repair(_context, volumes) {
    for (const volume of volumes) {
      const commands = growthCommands(volume)
      if (!commands) {
        throw new AppError(operatorErrors.not_supported, cannotGrow(volume), {
          fix: 'grow it with the tools of that file system',
        })
      }
      for (const argv of commands) await runCommand(argv, { timeoutMs: growthLimitMs })
    }
  },
})

async function volumeOf(
  { look }: DoctorContext,
  system: FileSystem,
): Promise<{ system: FileSystem; volume: GrowableVolume } | undefined> {
  const mounted = await look.command(...volumeQuestions.mount(system.path))
  const mount = readMount(mounted?.stdout ?? '')
  if (!mount?.source.startsWith('/dev/')) return undefined
  const [lvs, vgs] = [await look.command(...volumeQuestions.volumes), await look.command(...volumeQuestions.groups)]
  const volume = growableVolume(mount, lvs?.stdout ?? '', vgs?.stdout ?? '')
  return volume && { system, volume }
}

function cannotGrow({ mount }: GrowableVolume): string {
  return `# ${mount.target} is ${mount.type}, which is not grown here`
}
