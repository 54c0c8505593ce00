import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import {
  lightArabic,
  lightGerman,
  lightHindi,
  lightItalian,
  lightPortuguese,
  lightSpanish,
  plainPortuguese,
} from '../languages/light.ts'
import { lightCzech, lightLatvian } from '../languages/light-baltic-czech.ts'
import { lightBengali } from '../languages/light-bengali.ts'
import { lightFrench } from '../languages/light-french.ts'
import { snowballStemmers } from '../languages/snowball.ts'
import { illegalOption } from '../options.ts'
import { porterStem } from '../porter.ts'
import { stemWords } from './map-words.ts'

/** A word without the plural, by D. Harman's S-stemmer. */
function singular(word: string): string {
  if (word.length < 3 || !word.endsWith('s')) return word
  if (/(?:us|ss)$/u.test(word)) return word
  if (word.endsWith('ies') && !/[ae]ies$/u.test(word)) return `${word.slice(0, -3)}y`
  return /[aeo]es$/u.test(word) ? word : word.slice(0, -1)
}

const stemmers: Readonly<Record<string, (word: string) => string>> = {
  ...snowballStemmers,
  arabic: lightArabic,
  bengali: lightBengali,
  brazilian: plainPortuguese,
  czech: lightCzech,
  hindi: lightHindi,
  latvian: lightLatvian,
  light_french: lightFrench,
  light_german: lightGerman,
  light_italian: lightItalian,
  light_portuguese: lightPortuguese,
  light_spanish: lightSpanish,
  english: porterStem,
  porter: porterStem,
  minimal_english: singular,
  possessive_english: (word) => word.replace(/['’＇][sS]$/u, ''),
}

/** `stemmer`: words without their endings, in one of the languages we know. */
export const stemmerFilter = defineComponent<FilterTokens>({
  name: 'stemmer',
  create(options) {
    const language = options.text('language', options.text('name', 'porter'))
    const stem = Object.hasOwn(stemmers, language) ? stemmers[language] : undefined
    if (!stem)
      throw illegalOption(
        `the stemmer [${language}] is not supported; supported are [${Object.keys(stemmers).sort().join(', ')}]`,
      )
    return stemWords(stem)
  },
})
