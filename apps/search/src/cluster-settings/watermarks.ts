import { AppError, searchErrors } from '@logstack/errors'
import { byteSize } from '../values/text-values.ts'

/** Free bytes of a file system below which something happens. */
export interface Watermarks {
  /** Writing slows. */
  readonly low: number
  /** Documents are refused with 429; clients send them again later. */
  readonly high: number
  /** Indices are blocked for writes until free space is above `high` again. */
  readonly flood: number
}

type Level = keyof Watermarks
type Settings = Readonly<Record<string, string>>

const gibibyte = 1024 ** 3
const prefix = 'cluster.routing.allocation.disk.'
const settingOf: Readonly<Record<Level, string>> = {
  low: `${prefix}watermark.low`,
  high: `${prefix}watermark.high`,
  flood: `${prefix}watermark.flood_stage`,
}

/**
 * Shares of the disk as in Elasticsearch. The headrooms are a tenth of Elasticsearch's: this engine needs room to merge parts of one node, not to
 * take over shards of others, and a laptop's large disk with 40 GB free is not full.
 */
const standard: Readonly<Record<Level, { readonly usedShare: number; readonly headroomBytes: number }>> = {
  low: { usedShare: 0.85, headroomBytes: 20 * gibibyte },
  high: { usedShare: 0.9, headroomBytes: 10 * gibibyte },
  flood: { usedShare: 0.95, headroomBytes: 5 * gibibyte },
}

/** What a watermark is set to: the used share of the disk (`85%`, `0.85`) or the free bytes (`5gb`). Throws `illegal_argument_exception` for anything else. */
export function readMark(name: string, text: string): { usedShare: number } | { freeBytes: number } {
  const [, percent] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ?? []
  const usedShare = percent !== undefined ? Number(percent) / 100 : /^[01](?:\.\d+)?$/.test(text) ? Number(text) : -1
  if (usedShare >= 0 && usedShare <= 1) return { usedShare }
  const freeBytes = /[a-z]/i.test(text) ? byteSize(text) : undefined
  if (freeBytes !== undefined) return { freeBytes }
  throw new AppError(searchErrors.illegal_argument_exception, `unable to parse [${name}] with value [${text}]`)
}

/** The watermarks and their headrooms as settings of the cluster have them when they are not set. */
export const watermarkDefaults: Readonly<Record<string, string>> = Object.fromEntries(
  (['low', 'high', 'flood'] as const).flatMap((level) => [
    [settingOf[level], `${standard[level].usedShare * 100}%`],
    [`${settingOf[level]}.max_headroom`, `${standard[level].headroomBytes / gibibyte}gb`],
  ]),
)

function freeBytesOf(level: Level, totalBytes: number, settings: Settings): number {
  const given = settings[settingOf[level]]
  const headroom = settings[`${settingOf[level]}.max_headroom`]
  const mark = given === undefined ? standard[level] : readMark(settingOf[level], given)
  if ('freeBytes' in mark) return mark.freeBytes
  const limit = headroom === undefined ? undefined : byteSize(headroom)
  // As in Elasticsearch: whoever sets the share means it, unless a headroom is set too.
  const most = limit ?? (given === undefined ? standard[level].headroomBytes : Number.POSITIVE_INFINITY)
  return Math.min(totalBytes * (1 - mark.usedShare), most)
}

/** The watermarks of a disk of `totalBytes` under the cluster's settings; all 0 when they are switched off. A lower one is never above a higher one. */
export function watermarksOf(totalBytes: number, settings: Settings): Watermarks {
  if (settings[`${prefix}threshold_enabled`] === 'false') return { low: 0, high: 0, flood: 0 }
  const flood = freeBytesOf('flood', totalBytes, settings)
  const high = Math.max(flood, freeBytesOf('high', totalBytes, settings))
  return { flood, high, low: Math.max(high, freeBytesOf('low', totalBytes, settings)) }
}

const shownName: Readonly<Record<Level, string>> = { low: 'low', high: 'high', flood: 'flood stage' }

/** Refuses watermarks that stand in the wrong order, in Elasticsearch's words. */
export function checkWatermarks(settings: Settings): void {
  const shown = (level: Level): string => settings[settingOf[level]] ?? String(watermarkDefaults[settingOf[level]])
  const marks = (['low', 'high', 'flood'] as const).map((level) => ({
    level,
    mark: readMark(settingOf[level], shown(level)),
  }))
  for (const [at, { level, mark }] of marks.slice(1).entries()) {
    const lower = marks[at]
    if (lower === undefined || 'usedShare' in lower.mark !== 'usedShare' in mark) continue
    const wrong =
      'usedShare' in mark && 'usedShare' in lower.mark
        ? lower.mark.usedShare > mark.usedShare
        : 'freeBytes' in mark && 'freeBytes' in lower.mark && lower.mark.freeBytes < mark.freeBytes
    if (!wrong) continue
    const reason = `${shownName[lower.level]} disk watermark [${shown(lower.level)}] ${'usedShare' in mark ? 'more' : 'less'} than ${shownName[level]} disk watermark [${shown(level)}]`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
}
