import type { FilterTokens } from '../../tokens/token.ts'
import { defineComponent } from '../component.ts'
import { illegalOption } from '../options.ts'
import { mapWords } from './map-words.ts'

const encodings = ['float', 'identity', 'int']

/** `delimited_payload`: words without what follows the mark; payloads themselves are not kept, for nothing here reads them. */
export const delimitedPayloadFilter = defineComponent<FilterTokens>({
  name: 'delimited_payload',
  create(options) {
    const mark = options.text('delimiter', '|')
    if (mark.length !== 1)
      throw illegalOption(`Setting [delimiter] must be a single, non-null character. [${mark}] was provided.`)
    const encoding = options.text('encoding', 'float')
    if (!encodings.includes(encoding))
      throw illegalOption(`Unknown encoding [${encoding}], expected one of [${encodings.join(', ')}]`)
    return mapWords((word) => {
      const at = word.indexOf(mark)
      return at < 0 ? word : word.slice(0, at)
    })
  },
})
