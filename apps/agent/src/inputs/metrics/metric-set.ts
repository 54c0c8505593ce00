import { readFile } from 'node:fs/promises'

/** A group of measurements: `start` gives a function that takes one sample, as nested fields of as many events as the set has subjects. */
export interface MetricSet {
  readonly dataset: string
  start(): () => Promise<Record<string, unknown>[]>
}

/** The lines of a file of the kernel, without empty ones. */
export async function kernelLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8')
  return text.split('\n').filter((line) => line.trim() !== '')
}

/** A share of a whole as a number from 0 to 1 with four decimals; 0 for an empty whole. */
export function share(part: number, whole: number): number {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 10_000 : 0
}
