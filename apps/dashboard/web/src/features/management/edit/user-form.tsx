import { Group, MultiSelect, PasswordInput, Switch, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { manage } from '../../../api/manage.ts'
import { FormDialog, type FormProps, useSave } from './form.tsx'
import { messages } from './messages.ts'
import { type UserForm as Form, userBody, userForm, userProblems } from './user-body.ts'

/** A user: who they are, their roles, whether they may log in, and their password. */
export function UserForm({ entry, taken, onClose }: FormProps) {
  const before = entry?.body as Readonly<Record<string, unknown>> | undefined
  const [form, setForm] = useState(() => userForm(entry?.name ?? '', before))
  const [isTried, setTried] = useState(false)
  const change = (part: Partial<Form>): void => setForm((now) => ({ ...now, ...part }))
  const isTaken = !entry && taken.has(form.username)
  const problems = { ...userProblems(form, !entry), ...(isTaken ? { username: messages.taken } : {}) }
  const shown: Readonly<Record<string, string | undefined>> = isTried ? problems : {}
  const saving = useSave(() => saveUser(form, before), onClose)
  const mutate = (): void => {
    setTried(true)
    if (Object.keys(problems).length === 0) saving.mutate()
  }
  return (
    <FormDialog
      title={entry ? messages.editUser(entry.name) : messages.createUser}
      saving={{ error: saving.error, isPending: saving.isPending, mutate }}
      onClose={onClose}
    >
      <TextInput
        label={messages.username}
        autoComplete="off"
        data-autofocus={entry ? undefined : true}
        disabled={entry !== undefined}
        value={form.username}
        error={shown['username']}
        onChange={(event) => change({ username: event.currentTarget.value })}
      />
      <Group grow align="flex-start">
        <TextInput
          label={messages.fullName}
          autoComplete="off"
          value={form.fullName}
          onChange={(event) => change({ fullName: event.currentTarget.value })}
        />
        <TextInput
          label={messages.email}
          autoComplete="off"
          value={form.email}
          onChange={(event) => change({ email: event.currentTarget.value })}
        />
      </Group>
      <RolesInput value={form.roles} onChange={(roles) => change({ roles })} />
      <Group grow align="flex-start">
        <PasswordInput
          label={entry ? messages.newPassword : messages.password}
          description={entry ? messages.newPasswordHint : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          value={form.password}
          error={shown['password']}
          onChange={(event) => change({ password: event.currentTarget.value })}
        />
        <PasswordInput
          label={messages.repeated}
          autoComplete="new-password"
          value={form.repeated}
          error={shown['repeated']}
          onChange={(event) => change({ repeated: event.currentTarget.value })}
        />
      </Group>
      <Switch
        label={messages.enabled}
        checked={form.enabled}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
    </FormDialog>
  )
}

function RolesInput({ value, onChange }: { value: readonly string[]; onChange: (roles: string[]) => void }) {
  const roles = useQuery({
    queryKey: ['stored', 'roles', 'names'],
    queryFn: async ({ signal }) => Object.keys(await manage<object>('GET', '_security/role', { signal })).sort(),
  })
  return (
    <MultiSelect
      label={messages.roles}
      // Roles that are gone stay with the user until somebody takes them away.
      data={[...new Set([...(roles.data ?? []), ...value])]}
      value={[...value]}
      searchable
      error={roles.error?.message}
      onChange={onChange}
    />
  )
}

async function saveUser(form: Form, before: Readonly<Record<string, unknown>> | undefined): Promise<void> {
  const path = `_security/user/${encodeURIComponent(form.username)}`
  await manage('PUT', path, { json: userBody(form, before) })
  // Last, as a new password of one's own ends the session.
  if (before && form.password !== '') await manage('PUT', `${path}/_password`, { json: { password: form.password } })
}
