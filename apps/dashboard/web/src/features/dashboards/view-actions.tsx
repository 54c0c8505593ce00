import { ActionIcon, Tooltip } from '@mantine/core'
import { Expand, Printer } from 'lucide-react'
import { messages } from './messages.ts'

/** What can be done with a dashboard as a whole: fill the screen with it, print it or keep it as PDF. */
export function ViewActions() {
  return (
    <>
      <Tooltip label={messages.fullScreen}>
        <ActionIcon
          variant="default"
          aria-label={messages.fullScreen}
          onClick={() => void document.documentElement.requestFullscreen()}
        >
          <Expand size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={messages.print}>
        <ActionIcon variant="default" aria-label={messages.print} onClick={() => window.print()}>
          <Printer size={16} />
        </ActionIcon>
      </Tooltip>
    </>
  )
}
