import { useEffect, useState } from 'react'

/** Gives the focus back, when what uses it goes, to where it was before: dialogs that are only there while they are open do not do so themselves. */
export function useFocusBack(): void {
  // Before anything in the dialog takes the focus.
  const [opener] = useState(openerNow)
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement) requestAnimationFrame(() => giveTo(opener))
    },
    [opener],
  )
}

/** What has the focus; of an item of a menu, which goes with its menu, the button that opened that. */
function openerNow(): Element | null {
  const active = document.activeElement
  const menu = active?.closest('[role=menu]')
  return (menu?.id ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : undefined) ?? active
}

function giveTo(target: HTMLElement): void {
  // Who went on elsewhere in the meantime keeps that.
  if (target.isConnected && document.activeElement === document.body) target.focus()
}
