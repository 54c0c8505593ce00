import { Alert, Button, Center, Code, Group, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import type { SessionInfo } from '../../../server/src/api-types.ts'
import { request } from '../api/client.ts'
import { Logo } from '../shell/logo.tsx'
import { messages } from './messages.ts'

/** The login form. The password leaves it once, to the dashboard, and is kept by nothing. */
export function LoginPage({ onLogin }: { onLogin: (info: SessionInfo) => void }) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const login = useMutation({
    mutationFn: () => request<SessionInfo>('api/session', { method: 'POST', json: { username, password } }),
    onSuccess: onLogin,
  })
  const submit = (event: React.FormEvent): void => {
    event.preventDefault()
    login.mutate()
  }
  return (
    <Center mih="100vh" p="md">
      <Stack w="100%" maw={380} gap="lg">
        <Group justify="center">
          <Logo size={36} />
        </Group>
        <Paper className="panel" p="xl" component="form" onSubmit={submit} aria-label={messages.title}>
          <Stack gap="md">
            <div>
              <Title order={1} size="h2">
                {messages.title}
              </Title>
              <Text className="muted" size="sm" mt={4}>
                {messages.subtitle}
              </Text>
            </div>
            <TextInput
              label={messages.username}
              name="username"
              autoComplete="username"
              autoFocus
              required
              withAsterisk={false}
              value={username}
              onChange={(event) => setUsername(event.currentTarget.value)}
            />
            <PasswordInput
              label={messages.password}
              name="password"
              autoComplete="current-password"
              required
              withAsterisk={false}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <LoginProblem error={login.error} />
            <Button type="submit" loading={login.isPending} fullWidth>
              {messages.submit}
            </Button>
          </Stack>
        </Paper>
        <Text className="muted" size="xs" ta="center">
          {messages.hint} <Code>{messages.hintCommand}</Code>
        </Text>
      </Stack>
    </Center>
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
