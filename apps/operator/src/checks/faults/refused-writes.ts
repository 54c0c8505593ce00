import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineFault } from '../../doctor/define-fault.ts'

/** Events that search had accepted and its engine refused for what they hold: search puts them aside, whole, in files that nothing removes. */
export const refusedWrites = defineFault<readonly string[]>({
  name: 'refused-writes',
  title: 'refused writes',
  ofOwnSearch: true,
  async diagnose({ stack }) {
    const folder = join(stack.paths.volume('logstack_data_search'), 'segments')
    if (!existsSync(folder)) return { status: 'unknown', why: `there is no ${folder}` }
    const files = readdirSync(folder)
      // As search names them: what is said to be typed must be nothing but a file.
      .filter((name) => /^[\w.-]+\.refused$/.test(name))
      .map((name) => join(folder, name))
    if (files.length === 0) return { status: 'healthy', detail: 'none' }
    return {
      status: 'fault',
      problem: `${files.length === 1 ? 'a batch' : `${files.length} batches`} of events that search had accepted could not be stored`,
      evidence: files.map((file) => {
        const { size, mtime } = lstatSync(file)
        return `${file}: ${size} bytes, of ${mtime.toISOString()}`
      }),
      meaning: 'these events cannot be searched; the files keep them',
      found: files,
    }
  },
  plan: (_context, files) => [
    '# this is a fault of search: report it with the bundle; its log says why (a line with "refuses a segment")',
    './logstack support-bundle',
    '# once it is reported, out of the way:',
    ...files.map((file) => `mv ${file} /root/`),
  ],
})
