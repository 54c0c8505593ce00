import { type ComponentProps, lazy, Suspense } from 'react'
import { LoadingState } from '../../../shell/states.tsx'
import type { MarkdownText as Shown } from './markdown-text.tsx'

// Its reader is a quarter of a dashboard's program, and most dashboards have no words.
const Loaded = lazy(async () => ({ default: (await import('./markdown-text.tsx')).MarkdownText }))

/** Markdown as `markdown-text.tsx` shows it, loaded when it is first shown. */
export function MarkdownText(props: ComponentProps<typeof Shown>) {
  return (
    <Suspense fallback={<LoadingState />}>
      <Loaded {...props} />
    </Suspense>
  )
}
