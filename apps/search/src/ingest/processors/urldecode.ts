import { unfit } from '../../refusals/unfit.ts'
import { urlDecoded } from '../../values/text-values.ts'
import { textProcessor } from '../text-processor.ts'

/** `urldecode`. */
export const urldecodeProcessor = textProcessor('urldecode', () => (text) => {
  const decoded = urlDecoded(text)
  if (decoded !== undefined) return decoded
  throw unfit(`Could not URL-decode value: [${text}]`)
})
