import { Alert, Button, Checkbox, Group, Modal, Select, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { Download, Trash2, Upload } from 'lucide-react'
import { memo, useDeferredValue, useMemo, useState } from 'react'
import { useSession } from '../../session/session-gate.tsx'
import { FindInput } from '../../shell/find-input.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../shell/states.tsx'
import { formatInstant } from '../../time/time-range.ts'
import { ImportDialog } from './import-dialog.tsx'
import { messages } from './messages.ts'
import { downloadExport, type ListedObject, useDeleteObjects, useListedObjects } from './use-saved-objects.ts'

const keyOf = (object: ListedObject): string => `${object.type}:${object.id}`
const shownMax = 500
const noObjects: readonly ListedObject[] = []

/** All saved objects: find, import, export, delete. */
export function SavedObjects() {
  const found = useListedObjects()
  const [find, setFind] = useState('')
  const [type, setType] = useState<string | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const objects = found.data?.saved_objects ?? noObjects
  const types = useMemo(() => [...new Set(objects.map((object) => object.type))].sort(), [objects])
  // What is typed is there at once, the list follows.
  const wanted = useDeferredValue(find.trim().toLowerCase())
  const fitting = useMemo(
    () =>
      objects
        .filter((object) => type === null || object.type === type)
        .filter((object) => object.meta.title.toLowerCase().includes(wanted)),
    [objects, type, wanted],
  )
  const shown = useMemo(() => fitting.slice(0, shownMax), [fitting])
  const chosenObjects = objects.filter((object) => chosen.has(keyOf(object)))
  if (found.isPending) return <LoadingState />
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return (
    <>
      <Text size="sm" className="muted" mb="sm">
        {messages.savedObjectsText}
      </Text>
      <Group mb="sm" gap="xs">
        <FindInput label={messages.find} flex={1} miw={180} value={find} onFind={setFind} />
        <Select
          aria-label={messages.type}
          placeholder={messages.allTypes}
          data={types}
          value={type}
          onChange={setType}
          clearable
          w={170}
        />
        <Actions chosen={chosenObjects} onDone={() => setChosen(new Set())} />
      </Group>
      <div className="panel">
        {objects.length === 0 ? (
          <EmptyState title={messages.empty}>{messages.emptyText}</EmptyState>
        ) : (
          <ObjectTable objects={shown} chosen={chosen} onChoose={setChosen} />
        )}
      </div>
      {fitting.length > shownMax && (
        <Text size="xs" className="muted" mt="xs">
          {messages.more(fitting.length - shownMax)}
        </Text>
      )}
    </>
  )
}

function Actions({ chosen, onDone }: { chosen: readonly ListedObject[]; onDone: () => void }) {
  const { canEdit } = useSession()
  const [importing, importDialog] = useDisclosure(false)
  const [deleting, deleteDialog] = useDisclosure(false)
  const download = useMutation({ mutationFn: () => downloadExport(chosen.length > 0 ? chosen : undefined) })
  const remove = useDeleteObjects()
  const confirmDelete = (): void => {
    remove.mutate(chosen, { onSuccess: onDone })
    deleteDialog.close()
  }
  const problem = download.error ?? remove.error
  return (
    <>
      {chosen.length > 0 && canEdit && (
        <Button
          variant="default"
          color="red"
          leftSection={<Trash2 size={15} />}
          onClick={deleteDialog.open}
          loading={remove.isPending}
        >
          {messages.deleteChosen(chosen.length)}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<Download size={15} />}
        onClick={() => download.mutate()}
        loading={download.isPending}
      >
        {chosen.length > 0 ? messages.exportChosen(chosen.length) : messages.exportAll}
      </Button>
      {canEdit && (
        <Button leftSection={<Upload size={15} />} onClick={importDialog.open}>
          {messages.import}
        </Button>
      )}
      {problem && (
        <Alert color="red" w="100%" role="alert">
          {problem.message}
        </Alert>
      )}
      <ImportDialog opened={importing} onClose={importDialog.close} />
      <Modal opened={deleting} onClose={deleteDialog.close} title={messages.deleteTitle}>
        <Text size="sm">{messages.deleteText(chosen.length)}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={deleteDialog.close}>
            {messages.cancel}
          </Button>
          <Button color="red" onClick={confirmDelete}>
            {messages.delete}
          </Button>
        </Group>
      </Modal>
    </>
  )
}

const ObjectTable = memo(function ObjectTable({
  objects,
  chosen,
  onChoose,
}: {
  objects: readonly ListedObject[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
}) {
  const toggle = (object: ListedObject): void => {
    const next = new Set(chosen)
    if (!next.delete(keyOf(object))) next.add(keyOf(object))
    onChoose(next)
  }
  return (
    <Table.ScrollContainer minWidth={560} type="native">
      <Table highlightOnHover verticalSpacing={6} horizontalSpacing="md">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40} aria-label="Choose" />
            <Table.Th w={150}>{messages.type}</Table.Th>
            <Table.Th>{messages.name}</Table.Th>
            <Table.Th w={190}>{messages.changed}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {objects.map((object) => (
            <Table.Tr key={keyOf(object)} data-testid="saved-object">
              <Table.Td>
                <Checkbox
                  size="xs"
                  aria-label={object.meta.title}
                  checked={chosen.has(keyOf(object))}
                  onChange={() => toggle(object)}
                />
              </Table.Td>
              <Table.Td className="muted">{object.type}</Table.Td>
              <Table.Td fw={500}>{object.meta.title}</Table.Td>
              <Table.Td className="muted">
                {object.updated_at ? formatInstant(Date.parse(object.updated_at)).slice(0, 19) : ''}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
})
