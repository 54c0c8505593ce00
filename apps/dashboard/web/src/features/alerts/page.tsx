import { type AlertSeverity, type AlertStatus, alertSeverities, alertStatuses, alertsIndex } from '@logstack/contracts'
import { Button, Checkbox, SegmentedControl, Select } from '@mantine/core'
import { BellOff, BellRing } from 'lucide-react'
import { useState } from 'react'
import { NothingInIndex } from '../../shell/nothing-in-index.tsx'
import { Page as PageFrame } from '../../shell/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { TimePicker } from '../../time/time-picker.tsx'
import { useTimeRange } from '../../time/use-time-range.ts'
import { useUrlState } from '../../url-state/use-url-state.ts'
import { AlertDrawer } from './alert-drawer.tsx'
import { AlertTable, statusLabels } from './alert-table.tsx'
import { messages } from './messages.ts'
import { SilencesModal } from './silences-modal.tsx'
import { useAlert, useAlerts, useSilences } from './use-alerts.ts'

const initialRange = { from: 'now-24h', to: 'now' }
const statusOptions = [
  { value: 'all', label: messages.allStatuses },
  ...Object.entries(statusLabels).map(([value, label]) => ({ value, label })),
]

/** The list of alerts and the details of one; what is chosen is in the address. */
export function Page() {
  const url = useUrlState()
  const time = useTimeRange(initialRange)
  const status = oneOf<AlertStatus>(alertStatuses, url.get('status'))
  const severity = oneOf<AlertSeverity>(alertSeverities, url.get('severity'))
  const found = useAlerts(time, { status, severity, rule: url.get('rule') })
  const open = useAlert(url.get('alert'))
  const isGrouped = url.get('grouped') === 'true'
  const alerts = found.data?.alerts ?? []
  return (
    <PageFrame
      title={messages.title}
      description={found.data ? messages.count(alerts.length, found.data.total) : messages.description}
      actions={
        <>
          <SilencesButton />
          <Checkbox
            size="xs"
            label={messages.group}
            checked={isGrouped}
            onChange={(event) =>
              url.set({ grouped: event.currentTarget.checked ? 'true' : undefined }, { replace: true })
            }
          />
          <Select
            size="xs"
            w={140}
            aria-label={messages.severity}
            placeholder={messages.allSeverities}
            data={alertSeverities}
            value={severity ?? null}
            onChange={(next) => url.set({ severity: next ?? undefined }, { replace: true })}
            clearable
          />
          <SegmentedControl
            aria-label={messages.status}
            size="xs"
            data={statusOptions}
            value={status ?? 'all'}
            onChange={(next) => url.set({ status: next === 'all' ? undefined : next }, { replace: true })}
          />
          <TimePicker time={time} busy={found.isFetching} />
        </>
      }
    >
      <div className="panel">
        {found.isPending && <LoadingState />}
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && alerts.length === 0 && (
          <NothingInIndex index={alertsIndex.name}>
            <EmptyState title={messages.emptyTitle} icon={<BellRing size={32} strokeWidth={1.5} />}>
              {messages.emptyText}
            </EmptyState>
          </NothingInIndex>
        )}
        {alerts.length > 0 && (
          <AlertTable alerts={alerts} isGrouped={isGrouped} onOpen={(id) => url.set({ alert: id })} />
        )}
      </div>
      <AlertDrawer
        alert={url.get('alert') === undefined ? undefined : (open.data ?? undefined)}
        onClose={() => url.set({ alert: undefined })}
      />
    </PageFrame>
  )
}

function SilencesButton() {
  const [isShown, setShown] = useState(false)
  const silences = useSilences()
  const count = silences.data?.length ?? 0
  return (
    <>
      <Button
        size="xs"
        variant={count > 0 ? 'light' : 'default'}
        leftSection={<BellOff size={14} />}
        onClick={() => setShown(true)}
      >
        {count > 0 ? messages.silencesCount(count) : messages.silences}
      </Button>
      <SilencesModal isShown={isShown} silences={silences.data ?? []} onClose={() => setShown(false)} />
    </>
  )
}

function oneOf<T extends string>(known: readonly T[], value: string | undefined): T | undefined {
  return known.find((candidate) => candidate === value)
}
