import { type ComponentProps, lazy, Suspense } from 'react'
import { LoadingState } from '../shell/states.tsx'
import type { JsonEditor as Editor } from './json-editor.tsx'

// The editor is large: who only looks at lists does not load it.
const Loaded = lazy(async () => ({ default: (await import('./json-editor.tsx')).JsonEditor }))

/** The editor of JSON, loaded when it is first shown. */
export function JsonEditor(props: ComponentProps<typeof Editor>) {
  return (
    <Suspense fallback={<LoadingState />}>
      <Loaded {...props} />
    </Suspense>
  )
}
