import { useRef, useState } from 'react'
import type { GridPlace } from '../model/panel-model.ts'
import { layoutOf, withLayout } from './draft.ts'
import { type Layout, placed, stepped } from './layout.ts'
import type { Draft } from './use-draft.ts'

/** Where panels lie while one of them is moved; the dashboard changes when it is let go. */
export function useArrange(draft: Draft): {
  readonly layout: Layout | undefined
  onPreview(id: string, place: GridPlace): void
  onStep(id: string, step: readonly [columns: number, rows: number]): void
  onDrop(): void
} {
  const [layout, setLayout] = useState<Layout>()
  // A key press previews and drops at once: the drop must not wait until the preview is drawn.
  const latest = useRef<Layout>(undefined)
  const show = (next: Layout | undefined): void => {
    latest.current = next
    setLayout(next)
  }
  return {
    layout,
    onPreview: (id, place) => draft.object && show(placed(layoutOf(draft.object), id, place)),
    onStep: (id, step) => {
      if (draft.object) draft.change(withLayout(draft.object, stepped(layoutOf(draft.object), id, step)))
    },
    onDrop: () => {
      if (draft.object && latest.current) draft.change(withLayout(draft.object, latest.current))
      show(undefined)
    },
  }
}
