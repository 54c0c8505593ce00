import { Button, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Download, Radio } from 'lucide-react'
import { formatNumber } from '../../format/format.ts'
import type { TimeState } from '../../time/use-time-range.ts'
import { downloadDocuments } from './documents-csv.ts'
import { messages } from './messages.ts'
import { documentsMax } from './use-discover.ts'

const liveIntervalMs = 2_000

/** Watches new documents arrive: the newest first, asked for every two seconds. */
export function LiveButton({ time }: { time: TimeState }) {
  const isLive = time.refreshMs > 0 && time.refreshMs <= liveIntervalMs
  const toggle = (): void => {
    // A range that ended in the past shows nothing new.
    if (!isLive && time.range.to !== 'now') time.setRange({ from: 'now-15m', to: 'now' })
    time.setRefreshMs(isLive ? 0 : liveIntervalMs)
  }
  return (
    <Tooltip label={isLive ? messages.liveOn : messages.liveOff}>
      <Button
        size="compact-xs"
        variant={isLive ? 'filled' : 'default'}
        aria-pressed={isLive}
        leftSection={<Radio size={13} />}
        onClick={toggle}
      >
        {messages.live}
      </Button>
    </Tooltip>
  )
}

/** Downloads what was found. */
export function CsvButton(asked: Parameters<typeof downloadDocuments>[0]) {
  const download = useMutation({ mutationFn: () => downloadDocuments(asked) })
  const failed = download.error ? `${messages.csvFailed}: ${download.error.message}` : undefined
  return (
    <Tooltip label={failed ?? messages.csvTitle(formatNumber(documentsMax))}>
      <Button
        size="compact-xs"
        variant="default"
        {...(failed ? { color: 'red', variant: 'light' } : {})}
        loading={download.isPending}
        leftSection={<Download size={13} />}
        onClick={() => download.mutate()}
      >
        {messages.csv}
      </Button>
    </Tooltip>
  )
}
