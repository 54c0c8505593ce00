import { AppError, operatorErrors } from '@logstack/errors'
import { z } from 'zod'
import { defineFault } from '../../doctor/define-fault.ts'
import { fileSystemsOf, freeWords, isShort } from '../../evidence/file-systems.ts'
import { askSearch } from '../../evidence/search-answers.ts'

const blocksSchema = z.object({ read_only_allow_delete: z.string().optional() })
const answer = z.record(
  z.string(),
  z.object({ settings: z.object({ index: z.object({ blocks: blocksSchema.optional() }) }) }),
)

/** The block that a full disk puts on indices: they refuse events, and an Elasticsearch of old lets nobody log in, until it is lifted. */
export const diskBlock = defineFault<{ readonly indices: readonly string[] }>({
  name: 'disk-block',
  title: 'flood-stage block',
  ofOwnSearch: true,
  explainedBy: ['mounts', 'disk-space', 'logical-volume'],
  async diagnose(context) {
    const path = '/_all/_settings?expand_wildcards=all&filter_path=*.settings.index.blocks'
    const settings = (await askSearch(context, { path, answer })) ?? {}
    const indices = Object.entries(settings).flatMap(([name, { settings: of }]) =>
      of.index.blocks?.read_only_allow_delete === 'true' ? [name] : [],
    )
    if (indices.length === 0) return { status: 'healthy', detail: 'no index is blocked' }
    const shown = indices.slice(0, evidenceMax)
    return {
      status: 'fault',
      problem: `${indices.length === 1 ? 'an index refuses' : `${indices.length} indices refuse`} events since the disk was full`,
      evidence: shown.map((name) => `${name}: ${reason}`),
      meaning: 'nothing new is stored there, although there is room again; agents keep their events until it is',
      found: { indices },
    }
  },
  plan: (_context, { indices }) => [
    `PUT /${indices.length > evidenceMax ? '_all' : indices.join(',')}/_settings {"index.blocks.read_only_allow_delete": null}`,
  ],
  async repair({ stack }, { indices }) {
    const full = fileSystemsOf(stack).find(isShort)
    if (full) {
      throw new AppError(
        operatorErrors.disk_space_low,
        `${full.path} still has ${freeWords(full)}: the block would come back`,
        {
          fix: './logstack doctor --repair --only disk-space',
        },
      )
    }
    for (const name of indices) {
      await stack.clients.search().request({
        method: 'PUT',
        path: `/${encodeURIComponent(name)}/_settings`,
        body: { 'index.blocks.read_only_allow_delete': null },
      })
    }
  },
})

const evidenceMax = 5
const reason =
  '[TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block]'
