import { useEffect, useState } from 'react'

/** Gives the focus back, when what uses it goes, to where it was before: dialogs that are only there while they are open do not do so themselves. */
export function useFocusBack(): void {
  // Before anything in the dialog takes the focus.
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) requestAnimationFrame(() => giveTo(opener))
    },
    [opener],
  )
}

function giveTo(target: HTMLElement): void {
  // Who went on elsewhere in the meantime keeps that.
  if (target.isConnected && document.activeElement === document.body) target.focus()
}
