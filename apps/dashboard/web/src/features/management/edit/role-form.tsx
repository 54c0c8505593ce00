import { Button, Fieldset, Group, MultiSelect, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { manage } from '../../../api/manage.ts'
import { FormDialog, type FormProps, Problem, useSave } from './form.tsx'
import { messages } from './messages.ts'
import { emptyGrant, type RoleForm as Form, type GrantForm, roleBody, roleForm, roleProblem } from './role-body.ts'

interface Privileges {
  readonly cluster: readonly string[]
  readonly index: readonly string[]
}

/** A role: what its holders may do to the cluster and to indices, down to documents and fields. */
export function RoleForm({ entry, taken, onClose }: FormProps) {
  const before = entry?.body as Readonly<Record<string, unknown>> | undefined
  const [form, setForm] = useState(() => roleForm(entry?.name ?? '', before))
  const known = useQuery({
    queryKey: ['privileges', 'names'],
    queryFn: ({ signal }) => manage<Privileges>('GET', '_security/privilege/_builtin', { signal }),
  })
  const change = (part: Partial<Form>): void => setForm((now) => ({ ...now, ...part }))
  const path = `_security/role/${encodeURIComponent(form.name)}`
  const saving = useSave(() => manage('PUT', path, { json: roleBody(form, before) }), onClose)
  const changeGrant = (key: number, part: Partial<GrantForm>): void =>
    change({ grants: form.grants.map((grant) => (grant.key === key ? { ...grant, ...part } : grant)) })
  const isTaken = !entry && taken.has(form.name)
  const nextKey = Math.max(-1, ...form.grants.map(({ key }) => key)) + 1
  return (
    <FormDialog
      title={entry ? messages.editRole(entry.name) : messages.createRole}
      size="xl"
      saving={saving}
      canSave={roleProblem(form) === undefined && !isTaken}
      onClose={onClose}
    >
      <Group grow align="flex-start">
        <TextInput
          label={messages.name}
          data-autofocus={entry ? undefined : true}
          disabled={entry !== undefined}
          value={form.name}
          error={isTaken ? messages.taken : undefined}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TextInput
          label={messages.description}
          value={form.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
      </Group>
      <Problem error={known.error} />
      <PrivilegesInput
        label={messages.cluster}
        known={known.data?.cluster}
        value={form.cluster}
        onChange={(cluster) => change({ cluster })}
      />
      <TagsInput label={messages.runAs} value={[...form.runAs]} onChange={(runAs) => change({ runAs })} />
      <Text size="sm" fw={500}>
        {messages.grants}
      </Text>
      {form.grants.map((grant, at) => (
        <Grant
          key={grant.key}
          at={at + 1}
          grant={grant}
          known={known.data?.index}
          onChange={(part) => changeGrant(grant.key, part)}
          onRemove={() => change({ grants: form.grants.filter(({ key }) => key !== grant.key) })}
        />
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => change({ grants: [...form.grants, emptyGrant(nextKey)] })}
        >
          {messages.addGrant}
        </Button>
      </Group>
    </FormDialog>
  )
}

function Grant({
  at,
  grant,
  known,
  onChange,
  onRemove,
}: {
  at: number
  grant: GrantForm
  known: readonly string[] | undefined
  onChange: (part: Partial<GrantForm>) => void
  onRemove: () => void
}) {
  return (
    <Fieldset legend={messages.grant(at)}>
      <Stack gap="xs">
        <TagsInput
          label={messages.indices}
          description={messages.indicesHint}
          value={[...grant.names]}
          onChange={(names) => onChange({ names })}
        />
        <PrivilegesInput
          label={messages.privileges}
          known={known}
          value={grant.privileges}
          onChange={(privileges) => onChange({ privileges })}
        />
        <Textarea
          label={messages.query}
          description={messages.queryHint}
          autosize
          maxRows={8}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          value={grant.query}
          onChange={(event) => onChange({ query: event.currentTarget.value })}
        />
        <Group grow align="flex-start">
          <TagsInput
            label={messages.granted}
            description={messages.fieldsHint}
            value={[...grant.granted]}
            onChange={(granted) => onChange({ granted })}
          />
          <TagsInput
            label={messages.denied}
            description={messages.fieldsHint}
            value={[...grant.denied]}
            onChange={(denied) => onChange({ denied })}
          />
        </Group>
        <Group justify="flex-end">
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            leftSection={<Trash2 size={14} />}
            aria-label={messages.removeGrant(at)}
            onClick={onRemove}
          >
            {messages.removeGrant(at)}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  )
}

function PrivilegesInput({
  label,
  known,
  value,
  onChange,
}: {
  label: string
  known: readonly string[] | undefined
  value: readonly string[]
  onChange: (privileges: string[]) => void
}) {
  return (
    <MultiSelect
      label={label}
      data={[...new Set([...(known ?? []), ...value])]}
      value={[...value]}
      searchable
      onChange={onChange}
    />
  )
}
