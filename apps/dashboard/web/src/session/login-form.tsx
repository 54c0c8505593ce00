import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useRef, useState } from 'react'
import type { SessionInfo } from '../../../server/src/api-types.ts'
import { request, sessionPath } from '../api/client.ts'
import { messages } from './messages.ts'

/**
 * The fields of a login, with `username` filled in. The password leaves it once, to the dashboard, and is kept by nothing.
 */
export function LoginForm({ username: before, onLogin }: { username?: string; onLogin: (info: SessionInfo) => void }) {
  const [username, setUsername] = useState(before ?? '')
  const [password, setPassword] = useState('')
  const passwordInput = useRef<HTMLInputElement>(null)
  const login = useMutation({
    mutationFn: () => request<SessionInfo>(sessionPath, { method: 'POST', json: { username, password } }),
    onSuccess: onLogin,
    // The button, which loses the focus while it waits, is not what is needed next.
    onError: () => passwordInput.current?.select(),
  })
  return (
    <form
      aria-label={messages.title}
      onSubmit={(event) => {
        event.preventDefault()
        login.mutate()
      }}
    >
      <Stack gap="md">
        <TextInput
          label={messages.username}
          name="username"
          autoComplete="username"
          autoFocus={before === undefined}
          required
          withAsterisk={false}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label={messages.password}
          name="password"
          autoComplete="current-password"
          autoFocus={before !== undefined}
          data-autofocus={before === undefined ? undefined : true}
          required
          withAsterisk={false}
          ref={passwordInput}
          // Left out of the order of the Tab key unless told.
          visibilityToggleButtonProps={{ tabIndex: 0, 'aria-label': messages.showPassword }}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <LoginProblem error={login.error} />
        <Button type="submit" loading={login.isPending} fullWidth>
          {messages.submit}
        </Button>
      </Stack>
    </form>
  )
}

function LoginProblem({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} />} role="alert">
      {error.message}
    </Alert>
  )
}
