import { z } from 'zod'

const dockerLineSchema = z.object({ log: z.string(), stream: z.string().optional(), time: z.string().optional() })
const criLine = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([FP]) (.*)$/s

/** A piece of a container's output. */
export interface ContainerLine {
  readonly text: string
  readonly stream: string | undefined
  /** ISO 8601. */
  readonly time: string | undefined
  /** Whether the line goes on in the next piece. */
  readonly isPart: boolean
}

/** Reads a line of Docker's `json-file` log driver, or of podman's `k8s-file`; undefined for what is neither. */
export function readContainerLine(line: string): ContainerLine | undefined {
  const cri = criLine.exec(line)
  if (cri) {
    const [, time = '', stream, tag, text = ''] = cri
    return { text, stream, time: isoOf(time), isPart: tag === 'P' }
  }
  if (!line.startsWith('{')) return undefined
  try {
    const parsed = dockerLineSchema.safeParse(JSON.parse(line)).data
    if (!parsed) return undefined
    const { log, stream, time } = parsed
    return { text: log.replace(/\n$/, ''), stream, time: time && isoOf(time), isPart: !log.endsWith('\n') }
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}

function isoOf(text: string): string | undefined {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
