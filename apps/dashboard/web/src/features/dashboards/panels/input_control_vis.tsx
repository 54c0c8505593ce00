import { useMemo } from 'react'
import { EmptyState } from '../../../shell/states.tsx'
import { Controls } from '../controls/controls.tsx'
import { messages } from '../messages.ts'
import { inputControlsOf } from '../model/controls.ts'
import { definePanel, type PanelProps } from '../model/panel.ts'

/** The legacy panel of controls: lists and ranges, each setting a filter at once. */
export const inputControls = definePanel('input_control_vis', InputControls)

function InputControls({ panel, context }: PanelProps) {
  const controls = useMemo(() => inputControlsOf(panel, context.objects), [panel, context.objects])
  if (controls.length === 0) return <EmptyState title={messages.noControls} />
  return (
    <div data-testid="panel-drawn">
      <Controls controls={controls} context={context} />
    </div>
  )
}
