import { Loader } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'

// Until then people take an answer for instant or wait without asking why (Nielsen's limits). What turns makes the browser draw the page again
// sixty times a second: without a graphics processor that takes a core from what is waited for.
const stillMs = 1_000

/** Turns once something takes its time; before, `children` stand in its place. */
export function Spinner({ size, children }: { size?: number | 'sm'; children?: ReactNode }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), stillMs)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return children
  return size === undefined ? <Loader /> : <Loader size={size} />
}
