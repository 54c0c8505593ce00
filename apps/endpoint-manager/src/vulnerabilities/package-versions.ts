import type { PackageFormat } from '@logstack/contracts'

/** Compares two versions of packages: below nought when the left one is older, above when it is newer. */
export type CompareVersions = (left: string, right: string) => number

/** How versions compare in each format, as the package manager itself decides what is an upgrade. */
export const compareVersions: Readonly<Record<PackageFormat, CompareVersions>> = {
  dpkg: (left, right) => {
    const [a, b] = [splitDpkg(left), splitDpkg(right)]
    return a.epoch - b.epoch || compareDpkgParts(a.upstream, b.upstream) || compareDpkgParts(a.revision, b.revision)
  },
  rpm: (left, right) => {
    const [a, b] = [splitRpm(left), splitRpm(right)]
    // Who names no release means any, as in a dependency.
    const release = a.release === undefined || b.release === undefined ? 0 : compareRpmParts(a.release, b.release)
    return a.epoch - b.epoch || compareRpmParts(a.version, b.version) || release
  },
}

/** `[epoch:]upstream[-revision]`, deb-version(7). */
function splitDpkg(version: string): { epoch: number; upstream: string; revision: string } {
  const { epoch, rest } = splitEpoch(version)
  const at = rest.lastIndexOf('-')
  return at < 0
    ? { epoch, upstream: rest, revision: '0' }
    : { epoch, upstream: rest.slice(0, at), revision: rest.slice(at + 1) }
}

/** `[epoch:]version[-release]`. */
function splitRpm(version: string): { epoch: number; version: string; release?: string } {
  const { epoch, rest } = splitEpoch(version)
  const at = rest.lastIndexOf('-')
  return at < 0 ? { epoch, version: rest } : { epoch, version: rest.slice(0, at), release: rest.slice(at + 1) }
}

function splitEpoch(version: string): { epoch: number; rest: string } {
  const found = /^(\d+):(.*)$/s.exec(version)
  return found ? { epoch: Number(found[1]), rest: found[2] ?? '' } : { epoch: 0, rest: version }
}

/** Runs of other characters and of digits in turns: digits as numbers, others with `~` before the end, and letters before the rest. */
function compareDpkgParts(left: string, right: string): number {
  let [a, b] = [left, right]
  while (a !== '' || b !== '') {
    const [wordA = '', wordB = ''] = [/^\D*/.exec(a)?.[0], /^\D*/.exec(b)?.[0]]
    for (let at = 0; at < wordA.length || at < wordB.length; at += 1) {
      const order = rankOf(wordA[at]) - rankOf(wordB[at])
      if (order !== 0) return order
    }
    ;[a, b] = [a.slice(wordA.length), b.slice(wordB.length)]
    const [digitsA = '', digitsB = ''] = [/^\d*/.exec(a)?.[0], /^\d*/.exec(b)?.[0]]
    const order = compareDigits(digitsA, digitsB)
    if (order !== 0) return order
    ;[a, b] = [a.slice(digitsA.length), b.slice(digitsB.length)]
  }
  return 0
}

function rankOf(character: string | undefined): number {
  if (character === undefined) return 0
  if (character === '~') return -1
  const code = character.charCodeAt(0)
  return /[A-Za-z]/.test(character) ? code : code + 256
}

/** Numbers of any length. */
function compareDigits(left: string, right: string): number {
  const [a, b] = [left.replace(/^0+/, ''), right.replace(/^0+/, '')]
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

/** As rpm does: segments of letters or of digits, what lies between them only separates; `~` is older than the end, `^` newer than the end and older than all else. */
function compareRpmParts(left: string, right: string): number {
  const [a, b] = [segmentsOf(left), segmentsOf(right)]
  for (let at = 0; ; at += 1) {
    const [one, other] = [a[at], b[at]]
    if (one === undefined && other === undefined) return 0
    const order = compareSegments(one, other)
    if (order !== 0) return order
  }
}

function segmentsOf(text: string): string[] {
  return text.match(/[A-Za-z]+|\d+|~|\^/g) ?? []
}

function compareSegments(one: string | undefined, other: string | undefined): number {
  const order = kindOf(one) - kindOf(other)
  if (order !== 0 || one === undefined || other === undefined) return order
  if (/\d/.test(one)) return compareDigits(one, other)
  return one < other ? -1 : one > other ? 1 : 0
}

/** From the oldest: `~`, the end, `^`, letters, digits. */
function kindOf(segment: string | undefined): number {
  if (segment === undefined) return 1
  if (segment === '~') return 0
  if (segment === '^') return 2
  return /\d/.test(segment) ? 4 : 3
}
