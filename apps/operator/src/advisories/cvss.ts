import { CVSS20, CVSS30, CVSS31, CVSS40 } from '@pandatix/js-cvss'

/** A base score and the version of CVSS it was made by. */
export interface BaseScore {
  /** 0 to 10, with one decimal. */
  readonly score: number
  readonly version: string
}

const readers: readonly (readonly [version: string, prefix: string, read: (vector: string) => number])[] = [
  ['4.0', 'CVSS:4.0/', (vector) => new CVSS40(vector).Score()],
  ['3.1', 'CVSS:3.1/', (vector) => new CVSS31(vector).BaseScore()],
  ['3.0', 'CVSS:3.0/', (vector) => new CVSS30(vector).BaseScore()],
  ['2.0', 'AV:', (vector) => new CVSS20(vector).BaseScore()],
]

/** The base score of a vector of any version of CVSS; undefined for what is none. */
export function baseScore(vector: string): BaseScore | undefined {
  const reader = readers.find(([, prefix]) => vector.startsWith(prefix))
  if (!reader) return undefined
  const [version, , read] = reader
  try {
    const score = read(vector)
    return Number.isFinite(score) ? { score, version } : undefined
  } catch {
    // The library throws for each malformed vector; sources have some, and a record without a score is still an advisory.
    return undefined
  }
}
