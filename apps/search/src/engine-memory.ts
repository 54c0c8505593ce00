const gibibyte = 1024 ** 3
const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: gibibyte, t: 1024 * gibibyte }

/** The most the engine takes unless it is told otherwise. */
const ceilingBytes = 31 * gibibyte

/** The engine's ceiling, and options of `ES_JAVA_OPTS` that mean nothing here. */
export interface EngineMemory {
  readonly bytesMax: number
  readonly ignored: readonly string[]
}

/**
 * Reads the ceiling from `ES_JAVA_OPTS`: `-Xmx`, else `-Xms`, as large as it says; without either half of `memoryBytes`, at most 31 GB.
 * Sizes are Java's: a number with `k`, `m`, `g` or `t`.
 */
export function engineMemory(javaOptions: string | undefined, memoryBytes: number): EngineMemory {
  const words = (javaOptions ?? '').split(/\s+/).filter((word) => word !== '')
  const sizes = new Map<string, number>()
  const ignored: string[] = []
  for (const word of words) {
    const [, name, amount, unit = ''] = /^-Xm([xs])(\d+)([kmgt]?)$/i.exec(word) ?? []
    if (name === undefined) ignored.push(word)
    else sizes.set(name.toLowerCase(), Number(amount) * (units[unit.toLowerCase()] ?? 1))
  }
  const bytesMax = sizes.get('x') ?? sizes.get('s') ?? Math.min(ceilingBytes, Math.floor(memoryBytes / 2))
  return { bytesMax, ignored }
}
