import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { snowballStemmers } from '../languages/snowball.ts'
import { illegalOption } from '../options.ts'
import { porterStem } from '../porter.ts'
import { stemWords } from './map-words.ts'

const stemmers = new Map([
  ['English', porterStem],
  ['Porter', porterStem],
  ...Object.entries(snowballStemmers).map(
    ([name, stem]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, stem] as const,
  ),
])

/** The stemmer of a language by its English name (`German`). Throws `illegal_argument_exception` for one we do not know. */
export function snowballOf(language: string): (word: string) => string {
  const stem = stemmers.get(language)
  if (!stem)
    throw illegalOption(
      `the snowball language [${language}] is not supported; supported are [${[...stemmers.keys()].sort().join(', ')}]`,
    )
  return stem
}

/** `snowball`: words without their endings, by the stemmers of the Snowball project; English by Porter's first algorithm. */
export const snowballFilter = defineComponent<FilterTokens>({
  name: 'snowball',
  create: (options) => stemWords(snowballOf(options.text('language', 'English'))),
})
