import type { AppError } from '@logstack/errors'
import { illegalArgument } from '../refusals/refuse.ts'
import { malformed, notANumber, readBytes, readTime } from '../values/unit-values.ts'

/** What values of a setting look like. */
export interface SettingKind {
  /** As the table of settings names it. */
  readonly label: string
  /** Whether a list may be given. */
  readonly isList?: true
  /** Throws `illegal_argument_exception` in Elasticsearch's words where a text is no value of it. */
  check(setting: string, text: string): void
}

function unreadable(setting: string, text: string, cause: AppError): AppError {
  return illegalArgument(`Failed to parse value [${text}] for setting [${setting}]`, cause)
}

/** Java's `int`. */
const intMax = 2 ** 31 - 1

/** A whole number, from `min` to `max`. */
export function integer(min = -intMax - 1, max = intMax): SettingKind {
  return {
    label: 'integer',
    check(setting, text) {
      const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
      if (!(Math.abs(value) <= intMax)) throw unreadable(setting, text, notANumber(text))
      const failed = `Failed to parse value [${text}] for setting [${setting}]`
      if (value < min) throw illegalArgument(`${failed} must be >= ${min}`)
      if (value > max) throw illegalArgument(`${failed} must be <= ${max}`)
    },
  }
}

/** A number with or without a fraction, not below `min`. */
export function float(min = Number.NEGATIVE_INFINITY): SettingKind {
  return {
    label: 'number',
    check(setting, text) {
      if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) throw unreadable(setting, text, notANumber(text))
      if (Number(text) < min)
        throw illegalArgument(`Failed to parse value [${text}] for setting [${setting}] must be >= ${min.toFixed(1)}`)
    },
  }
}

export const boolean: SettingKind = {
  label: 'boolean',
  check(_setting, text) {
    if (text !== 'true' && text !== 'false')
      throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
  },
}

/** A time, not below `min`, which is one too (`1s`). */
export function time(min?: string): SettingKind {
  return {
    label: 'time',
    check(setting, text) {
      const value = readTime(setting, text)
      if (min !== undefined && value < readTime(setting, min))
        throw illegalArgument(`failed to parse value [${text}] for setting [${setting}], must be >= [${min}]`)
    },
  }
}

/** A size in bytes. */
export const bytes: SettingKind = {
  label: 'bytes',
  check(setting, text) {
    readBytes(setting, text)
  },
}

/** A size in bytes, or a share of the memory. */
export const memory: SettingKind = {
  label: 'bytes or percentage',
  check(setting, text) {
    if (!text.endsWith('%')) return bytes.check(setting, text)
    const percent = text.slice(0, -1)
    if (!/^\d+(?:\.\d+)?$/.test(percent))
      throw malformed(`failed to parse [${percent}] as a double`, notANumber(percent))
    if (Number(percent) > 100) throw malformed(`percentage should be in [0-100], got [${percent}]`)
  },
}

/** One of some words; `refuse` is the text for others, as each setting of Elasticsearch has its own. */
export function choice(words: readonly string[], refuse: (setting: string, text: string) => string): SettingKind {
  return {
    label: words.map((word) => `\`${word}\``).join(', '),
    check(setting, text) {
      if (!words.includes(text.toLowerCase())) throw illegalArgument(refuse(setting, text))
    },
  }
}

export const text: SettingKind = { label: 'text', check: () => undefined }

export const list: SettingKind = { label: 'list', isList: true, check: () => undefined }

/** A value with a form of its own: `read` throws where a text is none. */
export function custom(label: string, read: (setting: string, text: string) => unknown): SettingKind {
  return {
    label,
    check(setting, given) {
      read(setting, given)
    },
  }
}
