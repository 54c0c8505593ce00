import { Center, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { SessionInfo } from '../../../server/src/api-types.ts'
import { Logo } from '../shell/logo.tsx'
import { LoginForm } from './login-form.tsx'
import { messages } from './messages.ts'

/** The page for who is not logged in. */
export function LoginPage({ onLogin }: { onLogin: (info: SessionInfo) => void }) {
  return (
    <Center mih="100vh" p="md">
      <Stack w="100%" maw={380} gap="lg">
        <Group justify="center">
          <Logo size={36} />
        </Group>
        <Paper className="panel" p="xl">
          <Stack gap="md">
            <div>
              <Title order={1} size="h2">
                {messages.title}
              </Title>
              <Text className="muted" size="sm" mt={4}>
                {messages.subtitle}
              </Text>
            </div>
            <LoginForm onLogin={onLogin} />
          </Stack>
        </Paper>
        <Text className="muted" size="xs" ta="center">
          {messages.hint} <Code>{messages.hintCommand}</Code>
        </Text>
      </Stack>
    </Center>
  )
}
