import { formatMetric } from '../../../format/format-as.ts'
import { formatCell } from '../format-cell.ts'
import type { Cell, Column, Table } from '../model/table.ts'

/** Words as large as their numbers. */
export interface TagCloudModel {
  readonly table: Table
  readonly tag: string
  readonly value: string
  /** Pixels. */
  readonly minFontSize: number
  readonly maxFontSize: number
}

/** Words in the order of the table; a click on one gives its cell. */
export function TagCloud({ model, onPick }: { model: TagCloudModel; onPick: (column: Column, value: Cell) => void }) {
  const { table, minFontSize, maxFontSize } = model
  const tag = table.columns.find(({ id }) => id === model.tag)
  const metric = table.columns.find(({ id }) => id === model.value)
  if (!tag) return null
  const numbers = table.rows.map((row) => Number(row[model.value] ?? 0))
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  return (
    <div className="tag-cloud">
      {table.rows.map((row, at) => {
        const text = formatCell(row[tag.id], tag)
        const share = high > low ? ((numbers[at] ?? 0) - low) / (high - low) : 1
        return (
          <button
            key={text}
            type="button"
            title={`${text}: ${formatMetric(numbers[at] ?? 0, metric?.format)}`}
            style={{ fontSize: fontSizeOf(text, minFontSize + Math.sqrt(share) * (maxFontSize - minFontSize)) }}
            onClick={() => onPick(tag, row[tag.id] ?? null)}
          >
            {text}
          </button>
        )
      })}
    </div>
  )
}

/** A letter is about 0.6 of the font's size wide: no word is wider than its panel. */
function fontSizeOf(text: string, pixels: number): string {
  return `min(${pixels.toFixed(1)}px, ${(160 / Math.max(1, text.length)).toFixed(1)}cqw)`
}
