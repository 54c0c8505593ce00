import { stopwordSets } from './languages/stopword-sets.ts'
import { illegalOption, type Options } from './options.ts'

/** The stop words of an option: a named set (`_english_`), or the words. */
export function stopwordsOf(options: Options, otherwise: string): ReadonlySet<string> {
  const members = options.list('stopwords') ?? [otherwise]
  const ignoresCase = options.flag('ignore_case', false)
  const words = members.flatMap((member) => {
    if (!/^_.*_$/u.test(member)) return [ignoresCase ? member.toLowerCase() : member]
    const language = member.slice(1, -1)
    const set = Object.hasOwn(stopwordSets, language) ? stopwordSets[language] : undefined
    if (set === undefined) throw illegalOption(`stopwords [${member}] are not supported`)
    return set
  })
  return new Set(words)
}
