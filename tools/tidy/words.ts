/** A word that must not stand in our code, and what to write in its place. */
export interface BannedWord {
  readonly pattern: RegExp
  readonly instead: string
}

/** Words banned in the names of files and folders. */
export const bannedNames: readonly BannedWord[] = [
  { pattern: /(^|[-_.])(utils?|helpers?)([-_.]|$)/i, instead: 'name the file for the thing it holds' },
  { pattern: /(^|[-_.])(common|misc)([-_.]|$)/i, instead: 'name the file for the thing it holds' },
  { pattern: /(^|[-_.])(?<!endpoint-)manager([-_.]|$)/i, instead: 'name what it does: registry, scheduler, store, …' },
]

// Put together from pieces, so that this file does not hold the words it bans.
const word = (...pieces: string[]): RegExp => new RegExp(pieces.join(''))

/** Words banned in source text: escape hatches and notes to oneself. There is no list of exceptions. */
export const bannedText: readonly BannedWord[] = [
  { pattern: word('\\b(TO', 'DO|FIX', 'ME|HA', 'CK)\\b'), instead: 'do it, or open an issue' },
  { pattern: word('\\bas ', 'any\\b'), instead: 'unknown, and narrow it' },
  { pattern: word('@ts-', '(ignore|expect-error|nocheck)'), instead: 'fix the type' },
  { pattern: word('(biome', '-ignore|eslint', '-disable)'), instead: 'mend the code the rule complains about' },
  { pattern: word('/wo', 'rk/(main|shared)'), instead: 'nothing: the repository knows no machine' },
  { pattern: word('@elastic/', '(eui|charts)'), instead: 'mantine, echarts (the other is not open source)' },
]
