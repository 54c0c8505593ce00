/** How a value is shown. */
export interface ValueFormat {
  readonly id: 'number' | 'bytes' | 'bits' | 'percent' | 'duration' | 'date' | 'relative' | 'boolean' | 'text'
  /** Of a duration: how many milliseconds one is. */
  readonly unitMs?: number | undefined
  /** Of a duration: the unit it is shown in (`s`); absent for the one that suits it. */
  readonly to?: string | undefined
  readonly decimals?: number | undefined
  /** Whether zeros at the end of so many decimals are left out. */
  readonly trimmed?: boolean | undefined
  /** Thousands as `k`, millions as `m`. */
  readonly compact?: boolean | undefined
  /** Where values lead to, and what the link says; `{{value}}` and `{{rawValue}}` stand for the value. */
  readonly link?: { readonly url: string; readonly label: string | undefined } | undefined
  /** What becomes of the letters of texts. */
  readonly letters?: TextTransform | undefined
  /** Characters of a text that are shown. */
  readonly lengthMax?: number | undefined
  /** Of a date: its pattern (`MMM D, YYYY`) and, where it is not the browser's, its zone (`Europe/Paris`). */
  readonly pattern?: string | undefined
  readonly zone?: string | undefined
  /** Colours of values; of those that fit the last one is taken. */
  readonly colors?: readonly ColorRule[] | undefined
  /** Words for values, by the value; the empty text stands for all others. */
  readonly lookup?: Readonly<Record<string, string>> | undefined
  readonly suffix?: string | undefined
  /** What stands around the number, `{{value}}/s`. */
  readonly template?: string | undefined
}

/** Formats by the name of their field. */
export type FieldFormats = Readonly<Record<string, ValueFormat>>

/** `short` leaves of all parts between dots but the last the first letter; `base64` and `urlparam` decode. */
export type TextTransform = 'upper' | 'lower' | 'title' | 'short' | 'base64' | 'urlparam'

/** CSS colours, and which values have them: numbers of a range, texts that a pattern finds something in, or one value. Plain data. */
export interface ColorRule {
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly pattern?: string | undefined
  readonly value?: string | undefined
  readonly text: string | undefined
  readonly background: string | undefined
}
