import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useState } from 'react'
import { messages } from '../messages.ts'
import { LinesInput } from './lines-input.tsx'
import { isDataset } from './policy-draft.ts'

/** Adds files to what a policy reads. */
export function AddFiles({ onAdd }: { onAdd: (dataset: string, paths: readonly string[]) => void }) {
  const [dataset, setDataset] = useState('')
  const [paths, setPaths] = useState<readonly string[]>([])
  // Another one after each addition, so that its text begins empty.
  const [added, setAdded] = useState(0)
  const isWrong = dataset !== '' && !isDataset(dataset)
  return (
    <div className="panel" style={{ padding: 12 }}>
      <Title order={2} fz="sm" mb={4}>
        {messages.addFilesTitle}
      </Title>
      <Text size="xs" className="muted" mb="xs">
        {messages.addFilesText}
      </Text>
      <Stack gap="xs">
        <Group grow align="flex-start">
          <LinesInput key={added} label={messages.paths} lines={[]} onChange={setPaths} />
          <TextInput
            size="xs"
            label={messages.dataset}
            value={dataset}
            error={isWrong ? messages.datasetRule : undefined}
            onChange={(event) => setDataset(event.currentTarget.value)}
          />
        </Group>
        <Group>
          <Button
            size="xs"
            variant="default"
            disabled={!isDataset(dataset) || paths.length === 0}
            onClick={() => {
              onAdd(dataset, paths)
              setDataset('')
              setPaths([])
              setAdded((before) => before + 1)
            }}
          >
            {messages.addFiles}
          </Button>
        </Group>
      </Stack>
    </div>
  )
}
