import { Group } from '@mantine/core'
import type { VariableChoices } from '../../../esql/variables.ts'
import { messages } from '../messages.ts'
import type { ControlModel } from '../model/controls.ts'
import type { DashboardContext } from '../model/panel.ts'
import { chosenOf, type VariableControlModel } from '../model/variable-controls.ts'
import { ListControl } from './list-control.tsx'
import { RangeControl } from './range-control.tsx'
import { VariableControl } from './variable-control.tsx'

interface Props {
  readonly controls: readonly ControlModel[]
  readonly variables?: readonly VariableControlModel[]
  readonly choices?: VariableChoices
  readonly context: DashboardContext
}

/** Controls side by side: each sets one filter of the dashboard, or the value of one parameter. */
export function Controls({ controls, variables = [], choices = {}, context }: Props) {
  if (controls.length === 0 && variables.length === 0) return null
  return (
    <Group component="section" gap="sm" align="flex-end" aria-label={messages.controls}>
      {controls.map((control) =>
        control.kind === 'list' ? (
          <ListControl key={control.id} control={control} context={context} />
        ) : (
          <RangeControl key={control.id} control={control} context={context} />
        ),
      )}
      {variables.map((control) => (
        <VariableControl key={control.id} control={control} chosen={chosenOf(control, choices)} context={context} />
      ))}
    </Group>
  )
}
