import { UnstyledButton, useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { chartTheme } from '../../../charts/palette.ts'
import { formatMetric } from '../../../format/format-as.ts'
import type { ValueFormat } from '../../../kibana/value-format.ts'
import { type SliceTree, slicesOf } from './slices.ts'
import { treemapBoxes, waffleSquares } from './treemap-layout.ts'

/** What the shapes of parts of a whole are told. */
export interface PartsProps {
  readonly slices: readonly SliceTree[]
  readonly shape: 'treemap' | 'mosaic' | 'waffle'
  readonly format: ValueFormat | undefined
  readonly onPick: (slice: SliceTree) => void
}

/** Parts of a whole as areas: a treemap, a mosaic of columns, or a waffle of a hundred squares. */
export function Parts(props: PartsProps) {
  return <div className="parts">{props.shape === 'waffle' ? <Waffle {...props} /> : <Areas {...props} />}</div>
}

function useColors(): (at: number) => string {
  const { series } = chartTheme(useComputedColorScheme('light'))
  return (at) => series[at % series.length] ?? ''
}

function Areas({ slices, shape, format, onPick }: PartsProps) {
  const { ref, width, height } = useElementSize<HTMLDivElement>()
  const colorAt = useColors()
  const ratio = width > 0 && height > 0 ? width / height : 1
  const outer =
    shape === 'mosaic'
      ? columns(slices)
      : treemapBoxes(
          slices.map(({ value }) => value),
          ratio,
        )
  return (
    <div ref={ref} className="parts-areas">
      {slices.map((slice, at) => {
        const box = outer[at] ?? { x: 0, y: 0, w: 0, h: 0 }
        const inner = slicesOf(slice)
        const within =
          shape === 'mosaic'
            ? rows(inner)
            : treemapBoxes(
                inner.map(({ value }) => value),
                (ratio * box.w) / (box.h || 1),
              )
        return inner.map((part, place) => {
          const own = within[place] ?? { x: 0, y: 0, w: 0, h: 0 }
          const style = {
            left: percent(box.x + own.x * box.w),
            top: percent(box.y + own.y * box.h),
            width: percent(own.w * box.w),
            height: percent(own.h * box.h),
            background: colorAt(shape === 'mosaic' ? place : at),
          }
          const name = part === slice ? slice.name : `${slice.name} · ${part.name}`
          const text = `${name}: ${formatMetric(part.value, format)}`
          return (
            <UnstyledButton
              key={`${slice.id} ${part.id}`}
              className="parts-area"
              style={style}
              title={text}
              onClick={() => onPick(part)}
            >
              {name} <span data-testid="part-value">{formatMetric(part.value, format)}</span>
            </UnstyledButton>
          )
        })
      })}
    </div>
  )
}

function Waffle({ slices, format, onPick }: PartsProps) {
  const colorAt = useColors()
  const counts = waffleSquares(slices.map(({ value }) => value))
  const squares = slices.flatMap(({ id }, at) =>
    Array.from({ length: counts[at] ?? 0 }, (_, square) => ({ id: `${id} ${square}`, color: colorAt(at) })),
  )
  return (
    <div className="parts-waffle">
      <div className="parts-squares" aria-hidden="true">
        {squares.map(({ id, color }) => (
          <span key={id} style={{ background: color }} />
        ))}
      </div>
      <ul className="parts-legend">
        {slices.map((slice, at) => (
          <li key={slice.id}>
            <UnstyledButton fz="sm" onClick={() => onPick(slice)}>
              <span className="parts-mark" style={{ background: colorAt(at) }} /> {slice.name}{' '}
              <span data-testid="part-value">{formatMetric(slice.value, format)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </div>
  )
}

const percent = (share: number): string => `${100 * share}%`

/** Columns as wide as their share. */
function columns(slices: readonly SliceTree[]) {
  return alongShares(slices).map(({ from, share }) => ({ x: from, y: 0, w: share, h: 1 }))
}

function rows(slices: readonly SliceTree[]) {
  return alongShares(slices).map(({ from, share }) => ({ x: 0, y: from, w: 1, h: share }))
}

function alongShares(slices: readonly SliceTree[]): { from: number; share: number }[] {
  const total = slices.reduce((sum, { value }) => sum + value, 0) || 1
  let from = 0
  return slices.map(({ value }) => {
    const place = { from, share: value / total }
    from += place.share
    return place
  })
}
