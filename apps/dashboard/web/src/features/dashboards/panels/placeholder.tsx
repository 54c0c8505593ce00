import { Button, Code, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Puzzle } from 'lucide-react'
import { EmptyState } from '../../../shell/states.tsx'
import { messages } from '../messages.ts'
import type { PanelModel } from '../model/panel-model.ts'

/** Stands for a panel of a kind that is not drawn yet; it is never dropped. */
export function Placeholder({ panel }: { panel: PanelModel }) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <EmptyState
        title={messages.unknownKind(panel.kind)}
        icon={<Puzzle size={28} strokeWidth={1.5} />}
        action={
          <Button size="xs" variant="default" onClick={open}>
            {messages.showJson}
          </Button>
        }
      >
        {messages.unknownKindText}
      </EmptyState>
      <Modal opened={opened} onClose={close} title={panel.title || panel.kind} size="xl">
        <Code block>{JSON.stringify({ attributes: panel.attributes, config: panel.config }, null, 2)}</Code>
      </Modal>
    </>
  )
}
