import { unfit } from '../../refusals/unfit.ts'
import { byteSize } from '../../values/text-values.ts'
import { textProcessor } from '../text-processor.ts'

/** `bytes`: the number of bytes of a size such as `1kb`. */
export const bytesProcessor = textProcessor('bytes', () => (text, path) => {
  const bytes = byteSize(text)
  if (bytes !== undefined) return bytes
  throw unfit(
    `failed to parse setting [${path}] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
  )
})
