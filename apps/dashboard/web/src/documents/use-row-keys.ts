import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useEffect, useState } from 'react'

interface RowKeys {
  /** The rows to keep in the page: those in sight, and the one that has the focus, which would fall out of the page with its row. */
  readonly rangeExtractor: (range: Range) => number[]
  /** For the element around all rows. */
  readonly listeners: {
    onFocus(event: FocusEvent<HTMLElement>): void
    onBlur(event: FocusEvent<HTMLElement>): void
    onKeyDown(event: KeyboardEvent<HTMLElement>): void
  }
}

/**
 * Keys of a table whose rows exist only in sight: arrows, page keys, Home and End move from one row's first button to another's, as far as rows
 * are loaded. `scrollTo` brings a row into sight.
 */
export function useRowKeys(
  scroller: RefObject<HTMLElement | null>,
  rowHeightPx: number,
  scrollTo: (row: number) => void,
): RowKeys {
  const [focused, setFocused] = useState<number>()
  const rangeExtractor = useCallback(
    (range: Range) => {
      const inSight = defaultRangeExtractor(range)
      if (focused === undefined || focused >= range.count) return inSight
      return [...new Set([...inSight, focused])].sort((left, right) => left - right)
    },
    [focused],
  )
  useEffect(() => {
    const rows = scroller.current
    // Where a row's own field or tab has the focus, nothing is to be moved.
    if (focused === undefined || rowOf(document.activeElement) === focused) return
    rows?.querySelector<HTMLElement>(`[data-index="${focused}"] button`)?.focus({ preventScroll: true })
  }, [focused, scroller])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const row = rowOf(event.target)
    // Below the first button a row has tabs and tables with keys of their own.
    if (row === undefined || !isFirstButton(event.target)) return
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightPx) - 2)
    const count = Number(event.currentTarget.dataset['rows'])
    const next = target(event.key, row, pageRows, count)
    if (next === undefined) return
    event.preventDefault()
    setFocused(next)
    scrollTo(next)
  }
  return {
    rangeExtractor,
    listeners: {
      onFocus: ({ target: element }) => setFocused(rowOf(element)),
      onBlur: ({ relatedTarget }) => relatedTarget && setFocused(rowOf(relatedTarget)),
      onKeyDown,
    },
  }
}

function target(key: string, row: number, pageRows: number, count: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: row + 1,
    ArrowUp: row - 1,
    PageDown: row + pageRows,
    PageUp: row - pageRows,
    Home: 0,
    End: count - 1,
  }
  const next = moves[key]
  return next === undefined ? undefined : Math.max(0, Math.min(count - 1, next))
}

function rowOf(element: EventTarget | null): number | undefined {
  const row = element instanceof Element ? element.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset['index']) : undefined
}

function isFirstButton(element: EventTarget): boolean {
  return element instanceof Element && element === element.closest('[data-index]')?.querySelector('button')
}
