import { Group, Input, NumberInput } from '@mantine/core'
import { messages } from '../messages.ts'
import type { ControlModel } from '../model/controls.ts'
import type { DashboardContext } from '../model/panel.ts'

/** The smallest and the largest value of a field; an empty end is open. */
export function RangeControl({ control, context }: { control: ControlModel; context: DashboardContext }) {
  const { range = {} } = context.pills.find((pill) => pill.control === control.id) ?? {}
  const change = (end: 'gte' | 'lte', value: number | string): void => {
    const { [end]: _before, ...other } = range
    const next = typeof value === 'number' ? { ...other, [end]: value } : other
    const isOpen = Object.keys(next).length === 0
    context.onControl(control.id, isOpen ? undefined : { field: control.field, range: next })
  }
  return (
    <Input.Wrapper label={control.label} size="xs">
      <Group gap={4} wrap="nowrap">
        <NumberInput
          aria-label={messages.from(control.label)}
          placeholder={messages.fromShort}
          size="xs"
          w={100}
          value={range.gte ?? ''}
          onChange={(value) => change('gte', value)}
        />
        <NumberInput
          aria-label={messages.to(control.label)}
          placeholder={messages.toShort}
          size="xs"
          w={100}
          value={range.lte ?? ''}
          onChange={(value) => change('lte', value)}
        />
      </Group>
    </Input.Wrapper>
  )
}
