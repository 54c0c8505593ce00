import { defineComponent } from '../component.ts'
import { illegalOption } from '../options.ts'
import { porterStem } from '../porter.ts'
import type { FilterTokens } from '../token.ts'
import { stemWords } from './map-words.ts'

/** `snowball`: English words without their endings, by Porter's algorithm. */
export const snowballFilter = defineComponent<FilterTokens>({
  name: 'snowball',
  create(options) {
    const language = options.text('language', 'English')
    if (language !== 'English' && language !== 'Porter')
      throw illegalOption(`the snowball language [${language}] is not supported; supported are [English, Porter]`)
    return stemWords(porterStem)
  },
})
