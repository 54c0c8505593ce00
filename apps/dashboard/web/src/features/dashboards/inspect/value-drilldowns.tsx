import { Button, Stack } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { Dialog } from '../../../shell/dialog.tsx'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import { drilldownsOf } from '../model/drilldowns.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { PanelModel } from '../model/panel-model.ts'
import { drilldownLinks } from './drilldown-links.ts'
import { messages } from './messages.ts'

/** Lets who clicks a value choose between filtering by it and the drilldowns that begin at values; without any, it filters at once. */
export function useValueDrilldowns(
  panel: PanelModel,
  context: DashboardContext,
): { readonly context: DashboardContext; readonly dialog: ReactNode } {
  const drilldowns = useMemo(() => drilldownsOf(panel).filter(({ onValue }) => onValue), [panel])
  const [chosen, setChosen] = useState<FieldFilter>()
  const wrapped = useMemo(
    (): DashboardContext => (drilldowns.length === 0 ? context : { ...context, onFilter: setChosen }),
    [drilldowns, context],
  )
  if (!chosen) return { context: wrapped, dialog: null }
  const close = (): void => setChosen(undefined)
  const state = { ...context.address, panelTitle: panel.title, filters: context.pills, chosen }
  const dialog = (
    <Dialog onClose={close} title={`${chosen.field}: ${String(chosen.value ?? '')}`}>
      <Stack gap="xs">
        <Button
          variant="default"
          onClick={() => {
            close()
            context.onFilter(chosen)
          }}
        >
          {messages.filter}
        </Button>
        {drilldownLinks(drilldowns, state).map((link) =>
          'path' in link ? (
            <Button key={link.id} variant="default" component={Link} href={link.path} onClick={close}>
              {link.name}
            </Button>
          ) : (
            <Button
              key={link.id}
              variant="default"
              component="a"
              href={link.href}
              rel="noreferrer"
              target={link.newTab ? '_blank' : '_self'}
            >
              {link.name}
            </Button>
          ),
        )}
      </Stack>
    </Dialog>
  )
  return { context: wrapped, dialog }
}
