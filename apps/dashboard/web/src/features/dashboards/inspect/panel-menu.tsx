import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis, FileSpreadsheet, Image, Maximize2, Minimize2, SearchCode } from 'lucide-react'
import { type ComponentProps, lazy, memo, type RefObject, Suspense, useRef, useState } from 'react'
import { downloadFile, fileName } from '../../../export/download.ts'
import { useFocusBack } from '../../../shell/use-focus-back.ts'
import type { PanelAnswer } from '../answers/panel-answer.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { PanelModel } from '../model/panel-model.ts'
import { DrilldownItems } from './drilldown-items.tsx'
import { messages } from './messages.ts'
import { tableCsv, usePanelAnswers } from './panel-answers.ts'
import { savePicture } from './save-picture.ts'

const InspectDialog = lazy(async () => ({ default: (await import('./inspect-dialog.tsx')).InspectDialog }))

interface PanelMenuProps {
  readonly panel: PanelModel
  readonly context: DashboardContext
  readonly isMaximised: boolean
  readonly onMaximise: (id: string | undefined) => void
}

/** What a reader can do with one panel: look behind it, take its data or picture along, go on from it, see it alone. */
export const PanelMenu = memo(function PanelMenu(props: PanelMenuProps) {
  const [isUsed, setUsed] = useState(false)
  const label = messages.options(props.panel.title || props.panel.kind)
  // A closed menu costs as much as an open one, thirty times: it is made when somebody asks for it.
  return isUsed ? (
    <OpenedMenu {...props} label={label} />
  ) : (
    <ActionIcon {...buttonLook} aria-label={label} aria-haspopup="menu" onClick={() => setUsed(true)}>
      <Ellipsis size={14} />
    </ActionIcon>
  )
})

const buttonLook = { variant: 'subtle', color: 'gray', size: 'sm', className: 'panel-menu no-print' } as const

function OpenedMenu({ panel, context, isMaximised, onMaximise, label }: PanelMenuProps & { readonly label: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const [inspected, setInspected] = useState<readonly PanelAnswer[]>()
  return (
    <>
      <Menu position="bottom-end" withinPortal defaultOpened>
        <Menu.Target>
          <ActionIcon {...buttonLook} ref={button} aria-label={label}>
            <Ellipsis size={14} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <DataItems panel={panel} button={button} onInspect={setInspected} />
          <DrilldownItems panel={panel} context={context} />
          <Menu.Item
            leftSection={isMaximised ? <Minimize2 size={14} /> : <Maximize2 size={14} />}
            onClick={() => onMaximise(isMaximised ? undefined : panel.id)}
          >
            {isMaximised ? messages.restore : messages.maximise}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {inspected && (
        <Inspected title={panel.title || panel.kind} answers={inspected} onClose={() => setInspected(undefined)} />
      )}
    </>
  )
}

/** Apart from the dialog, which is loaded when it is first shown: by then the menu that the focus comes from is gone. */
function Inspected(props: ComponentProps<typeof InspectDialog>) {
  useFocusBack()
  return (
    <Suspense>
      <InspectDialog {...props} />
    </Suspense>
  )
}

function DataItems({
  panel,
  button,
  onInspect,
}: {
  panel: PanelModel
  button: RefObject<HTMLButtonElement | null>
  onInspect: (answers: readonly PanelAnswer[]) => void
}) {
  const answers = usePanelAnswers(panel.id)
  const canvas = button.current?.closest('.dashboard-panel')?.querySelector('canvas')
  const title = panel.title || panel.kind
  if (answers.length === 0) return null
  const saveCsv = (): void => {
    const text = answers.map(({ table }) => tableCsv(table)).join('\r\n')
    downloadFile(fileName(title, 'csv'), new Blob([text], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <>
      <Menu.Item leftSection={<SearchCode size={14} />} onClick={() => onInspect(answers)}>
        {messages.inspect}
      </Menu.Item>
      <Menu.Item leftSection={<FileSpreadsheet size={14} />} onClick={saveCsv}>
        {messages.csv}
      </Menu.Item>
      {canvas && (
        <Menu.Item leftSection={<Image size={14} />} onClick={() => savePicture(canvas, fileName(title, 'png'))}>
          {messages.picture}
        </Menu.Item>
      )}
    </>
  )
}
