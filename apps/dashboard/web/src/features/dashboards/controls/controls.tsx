import { Group } from '@mantine/core'
import { messages } from '../messages.ts'
import type { ControlModel } from '../model/controls.ts'
import type { DashboardContext } from '../panels/panel.ts'
import { ListControl } from './list-control.tsx'
import { RangeControl } from './range-control.tsx'

/** Controls side by side: each sets one filter of the dashboard. */
export function Controls({ controls, context }: { controls: readonly ControlModel[]; context: DashboardContext }) {
  if (controls.length === 0) return null
  return (
    <Group component="section" gap="sm" align="flex-end" aria-label={messages.controls}>
      {controls.map((control) =>
        control.kind === 'list' ? (
          <ListControl key={control.id} control={control} context={context} />
        ) : (
          <RangeControl key={control.id} control={control} context={context} />
        ),
      )}
    </Group>
  )
}
