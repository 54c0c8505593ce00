import { Alert, Button, Checkbox, FileInput, Group, List, Modal, Radio, Stack, Text } from '@mantine/core'
import { CircleCheck, FileUp, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { importErrors, messages } from './messages.ts'
import {
  type ConflictMode,
  type ImportProblem,
  type ImportResult,
  useImport,
  useImportRefused,
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
  const retrying = useImportRefused()
  const result = retrying.data ?? importing.data
  const error = retrying.error ?? importing.error
  if (result && file) {
    return (
      <Outcome
        result={result}
        busy={retrying.isPending}
        onRetry={(problems) => retrying.mutate({ file, problems })}
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
  onRetry,
  onClose,
}: {
  result: ImportResult
  busy: boolean
  onRetry: (problems: readonly ImportProblem[]) => void
  onClose: () => void
}) {
  const problems = result.errors ?? []
  const retriable = problems.filter(({ error }) => isRetriable(error.type))
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen = retriable.filter((problem) => !left.has(keyOf(problem)))
  const choose = (problem: ImportProblem, isChosen: boolean): void => {
    const others = [...left].filter((key) => key !== keyOf(problem))
    setLeft(new Set(isChosen ? others : [...others, keyOf(problem)]))
  }
  return (
    <Stack>
      {result.successCount > 0 && (
        <Alert color="green" icon={<CircleCheck size={18} />}>
          {messages.imported(result.successCount)}
        </Alert>
      )}
      {problems.length > 0 && (
        <Alert color="orange" icon={<TriangleAlert size={18} />} title={messages.problems(problems.length)}>
          <List size="sm" spacing={4} mah={320} listStyleType="none" style={{ overflow: 'auto' }}>
            {problems.map((problem) => (
              <List.Item key={keyOf(problem)}>
                {retriable.includes(problem) ? (
                  <Checkbox
                    size="xs"
                    checked={!left.has(keyOf(problem))}
                    onChange={(event) => choose(problem, event.currentTarget.checked)}
                    label={<ProblemText problem={problem} />}
                  />
                ) : (
                  <ProblemText problem={problem} />
                )}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Group justify="flex-end">
        {retriable.length > 0 && (
          <Button variant="default" loading={busy} disabled={chosen.length === 0} onClick={() => onRetry(chosen)}>
            {chosen.some(({ error }) => error.type === 'missing_references')
              ? messages.importAnyway(chosen.length)
              : messages.overwriteConflicts(chosen.length)}
          </Button>
        )}
        <Button onClick={onClose}>{messages.done}</Button>
      </Group>
    </Stack>
  )
}

/** Whether somebody may want the object all the same: it exists already, or something that it refers to does not. */
function isRetriable(type: string): boolean {
  return type.endsWith('conflict') || type === 'missing_references'
}

function keyOf({ type, id }: ImportProblem): string {
  return `${type}:${id}`
}

function ProblemText({ problem }: { problem: ImportProblem }) {
  const { error } = problem
  return (
    <>
      <Text span fw={500}>
        {problem.title ?? problem.id}
      </Text>{' '}
      <Text span className="muted">
        ({problem.type}) {importErrors[error.type] ?? error.message ?? error.type}{' '}
        {error.references?.map(({ type, id }) => `${type} ${id}`).join(', ')}
      </Text>
    </>
  )
}
