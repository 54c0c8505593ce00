import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { waitForTurn } from './turns.ts'

// How far below the window a panel begins to load, so that it is there when somebody scrolls to it.
const aheadPx = 200

/** Shows a panel at once where it is in sight, and when the page has nothing else to do where it is not. */
export function InTurn({
  label,
  isNear,
  children,
}: {
  label: string
  /** Known to be in sight before anything is laid out: it waits for nothing. */
  isNear: boolean
  children: ReactNode
}) {
  const client = useQueryClient()
  const box = useRef<HTMLDivElement>(null)
  const [isDue, setDue] = useState(isNear)
  useEffect(() => {
    if (!box.current || isDue) return undefined
    const leave = waitForTurn(
      () => setDue(true),
      () => client.isFetching({ queryKey: ['panel'] }) === 0,
    )
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setDue(true)
      },
      { rootMargin: `${aheadPx}px 0px` },
    )
    observer.observe(box.current)
    return () => {
      observer.disconnect()
      leave()
    }
  }, [client, isDue])
  return isDue ? children : <div ref={box} className="panel-in-turn" role="status" aria-label={label} />
}
