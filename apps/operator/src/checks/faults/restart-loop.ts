import { containerName, type PartName } from '@logstack/contracts'
import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import { classifyEnd, type LoopEnd } from '../../doctor/loop-cause.ts'
import { editWords, type PartTrouble, partTroubles } from '../../doctor/part-troubles.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { journalArgv } from '../../systemd/argv.ts'
import { keepPartsFromRunning } from './keep-parts-from-running.ts'

interface Loop extends PartTrouble {
  readonly end: LoopEnd
}

const journalLines = 60

/** A part ends and is started again and again; the cause is read from its last words, its exit code and the kernel's log. */
export const restartLoop = defineFault<readonly Loop[]>({
  name: 'restart-loop',
  title: 'no part starts repeatedly',
  explainedBy: keepPartsFromRunning,
  async diagnose(context) {
    const troubles = await partTroubles(context)
    if (!troubles) return { status: 'unknown', why: 'the runtime does not tell what runs' }
    const looping = troubles.filter(({ kind }) => kind === 'loop')
    if (looping.length === 0) return { status: 'healthy', detail: 'none does' }
    const loops = await Promise.all(looping.map(async (one) => ({ ...one, end: await endOf(context, one.part) })))
    return {
      status: 'fault',
      problem: loops.map(({ part, words, end }) => `${containerName(part)} ${words}: ${end.words}`).join('; '),
      evidence: [...loops.flatMap(({ part, end }) => end.lines.map((line) => `${part}: ${line}`)), ...editWords(loops)],
      meaning: `${loops.map(({ part }) => part).join(', ')} does its work for moments only, if at all`,
      found: loops,
    }
  },
  plan: ({ stack }, loops) => [
    ...new Set(loops.flatMap(({ part, end }) => [`# ${adviceOf(part, end)}`])),
    ...startAllCommands(stack),
  ],
  repair: ({ stack }, _loops, progress) => startAll(stack, progress),
})

async function endOf({ look, stack }: DoctorContext, part: PartName): Promise<LoopEnd> {
  if (stack.runtime.kind === 'process') {
    const listing = await look.listing()
    const status = listing.state === 'answered' ? listing.parts.find((one) => one.part === part) : undefined
    return classifyEnd({ journal: [status?.lastWords ?? ''], kernel: [] })
  }
  const [journal, kernel] = await Promise.all([
    look.command(...journalArgv(part, { lines: journalLines, follow: false })),
    look.command('journalctl', '--dmesg', '--since=-1h', '--output=cat', '--quiet', '--no-pager'),
  ])
  return classifyEnd({ journal: (journal?.stdout ?? '').split('\n'), kernel: (kernel?.stdout ?? '').split('\n') })
}

function adviceOf(part: PartName, { cause }: LoopEnd): string {
  const advice: Readonly<Record<LoopEnd['cause'], string>> = {
    'out-of-memory': `if it ends again for lack of memory: ./logstack memory set ${part} --limit none, or give the host more`,
    password: `if it is refused again: ./logstack password reset, then ./logstack restart ${part}`,
    port: 'if its port is taken again: ./logstack status',
    configuration: 'if its settings are refused again: ./logstack config check',
    killed: `something killed it; if it is killed again, see who does: journalctl -xu ${containerName(part)}.service`,
    unknown: `if it ends again, its log says why: ./logstack logs ${part}`,
  }
  return advice[cause]
}
