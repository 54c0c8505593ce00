import type { ReactNode } from 'react'
import { leftOutOf } from '../../../api/left-out.ts'
import type { Completeness } from '../../../api/search.ts'
import { LeftOutNote } from '../../../shell/left-out-note.tsx'

/** What a panel draws of answers, below a note where these are not whole. */
export function Answered({ told, children }: { told: readonly Completeness[]; children: ReactNode }) {
  const leftOut = leftOutOf(told)
  if (!leftOut) return children
  return (
    <div className="dashboard-panel-partial">
      <LeftOutNote leftOut={leftOut} />
      <div>{children}</div>
    </div>
  )
}
