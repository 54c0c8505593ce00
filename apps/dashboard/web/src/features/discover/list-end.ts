import { formatNumber } from '../../format/format.ts'
import { messages } from './messages.ts'

/** What is said below a list of documents that can go no further, though more were found; undefined while it can, or where it has all. */
export function listEnd(shown: number, total: number, max: number): string | undefined {
  return shown < max || total <= shown ? undefined : messages.end(formatNumber(shown), formatNumber(total))
}
