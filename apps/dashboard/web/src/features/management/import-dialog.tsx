import { Alert, Button, FileInput, Group, List, Modal, Radio, Stack, Text } from '@mantine/core'
import { CircleCheck, FileUp, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { importErrors, messages } from './messages.ts'
import {
  type ConflictMode,
  type ImportProblem,
  type ImportResult,
  useImport,
  useOverwriteConflicts,
} from './use-saved-objects.ts'

/** Chooses a file and how conflicts are met; then says what became of each object. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={messages.importTitle} size="lg">
      <ImportForm onClose={onClose} />
    </Modal>
  )
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const [mode, setMode] = useState<ConflictMode>('keep')
  const importing = useImport()
  const overwriting = useOverwriteConflicts()
  const result = overwriting.data ?? importing.data
  const error = overwriting.error ?? importing.error
  if (result && file) {
    return (
      <Outcome
        result={result}
        busy={overwriting.isPending}
        onOverwrite={(problems) => overwriting.mutate({ file, problems })}
        onClose={onClose}
      />
    )
  }
  return (
    <Stack>
      <FileInput
        label={messages.chooseFile}
        placeholder={messages.filePlaceholder}
        leftSection={<FileUp size={16} />}
        accept=".ndjson,.json"
        value={file}
        onChange={setFile}
        data-testid="import-file"
      />
      <Radio.Group label={messages.onConflict} value={mode} onChange={(next) => setMode(next as ConflictMode)}>
        <Stack gap={6} mt={6}>
          <Radio value="keep" label={messages.keep} />
          <Radio value="overwrite" label={messages.overwrite} />
          <Radio value="copies" label={messages.copies} />
        </Stack>
      </Radio.Group>
      {error && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {messages.cancel}
        </Button>
        <Button disabled={!file} loading={importing.isPending} onClick={() => file && importing.mutate({ file, mode })}>
          {messages.import}
        </Button>
      </Group>
    </Stack>
  )
}

function Outcome({
  result,
  busy,
  onOverwrite,
  onClose,
}: {
  result: ImportResult
  busy: boolean
  onOverwrite: (problems: readonly ImportProblem[]) => void
  onClose: () => void
}) {
  const problems = result.errors ?? []
  const conflicts = problems.filter(({ error }) => error.type.endsWith('conflict'))
  return (
    <Stack>
      {result.successCount > 0 && (
        <Alert color="green" icon={<CircleCheck size={18} />}>
          {messages.imported(result.successCount)}
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert color="orange" icon={<TriangleAlert size={18} />} title={messages.problems(problems.length)}>
          <List size="sm" spacing={4} mah={320} style={{ overflow: 'auto' }}>
            {problems.map((problem) => (
              <List.Item key={`${problem.type}:${problem.id}`}>
                <Text span fw={500}>
                  {problem.title ?? problem.id}
                </Text>{' '}
                <Text span className="muted">
                  ({problem.type}) {importErrors[problem.error.type] ?? problem.error.message ?? problem.error.type}{' '}
                  {problem.error.references?.map(({ type, id }) => `${type} ${id}`).join(', ')}
                </Text>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Group justify="flex-end">
        {conflicts.length > 0 && (
          <Button variant="default" loading={busy} onClick={() => onOverwrite(conflicts)}>
            {messages.overwriteConflicts(conflicts.length)}
          </Button>
        )}
        <Button onClick={onClose}>{messages.done}</Button>
      </Group>
    </Stack>
  )
}
