import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  List,
  Stack,
  Text,
  Timeline,
  Tooltip,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import { Link } from 'wouter'
import type { AgentSetup, EnrolmentToken } from '../../../../server/src/api-types.ts'
import { request } from '../../api/client.ts'
import { Page } from '../../shell/page.tsx'
import { ErrorState, LoadingState } from '../../shell/states.tsx'
import { formatInstant } from '../../time/time-range.ts'
import { messages } from './messages.ts'

const recheckMs = 5_000

/** How to enrol a host; while that is not possible, why not and what to do. */
export function AddAgent() {
  const setup = useQuery({
    queryKey: ['agents', 'setup'],
    queryFn: ({ signal }) => request<AgentSetup>('api/agents/setup', { signal }),
    // The page mends itself once the agent server is up.
    refetchInterval: (query) => (query.state.data?.ready ? false : recheckMs),
  })
  return (
    <Page
      title={messages.add}
      description={messages.addDescription}
      actions={
        <Anchor component={Link} href="/" size="sm">
          {messages.back}
        </Anchor>
      }
    >
      {setup.isPending && <LoadingState />}
      {setup.isError && <ErrorState error={setup.error} onRetry={() => void setup.refetch()} />}
      {setup.data && !setup.data.ready && <NotReady setup={setup.data} onRetry={() => void setup.refetch()} />}
      {setup.data?.ready && <Steps setup={setup.data} />}
    </Page>
  )
}

function NotReady({ setup, onRetry }: { setup: AgentSetup; onRetry: () => void }) {
  return (
    <Alert color="orange" icon={<TriangleAlert size={18} />} title={setup.message} maw={760}>
      <Text size="sm" fw={600} mb={4}>
        {messages.remedyTitle}
      </Text>
      <List type="ordered" size="sm" spacing={4}>
        {setup.remedies?.map((remedy) => (
          <List.Item key={remedy}>{remedy}</List.Item>
        ))}
      </List>
      <Button size="xs" variant="default" mt="sm" onClick={onRetry}>
        {messages.tryAgain}
      </Button>
    </Alert>
  )
}

function Steps({ setup }: { setup: AgentSetup }) {
  const token = useMutation({ mutationFn: () => request<EnrolmentToken>('api/agents/tokens', { method: 'POST' }) })
  const byHand = `node agent.mjs enroll --url ${setup.url} --ca-fingerprint ${setup.caFingerprint ?? ''} --token-file -\nnode agent.mjs run`
  const command = setup.command?.replace('<TOKEN>', token.data?.token ?? '<TOKEN>')
  return (
    <div className="panel" style={{ padding: 24, maxWidth: 860 }}>
      <Timeline active={2} bulletSize={22} lineWidth={2}>
        <Timeline.Item bullet={<Text size="xs">1</Text>} title={messages.stepToken}>
          <Stack gap="xs" align="flex-start">
            <Text size="sm" className="muted">
              {messages.tokenOnce}
            </Text>
            <Button size="xs" onClick={() => token.mutate()} loading={token.isPending}>
              {messages.makeToken}
            </Button>
            {token.error && (
              <Text size="sm" c="red" role="alert">
                {token.error.message}
              </Text>
            )}
            {token.data && <Copyable text={token.data.token} />}
            {token.data?.expiresAt && (
              <Text size="xs" className="muted">
                {messages.expires(formatInstant(Date.parse(token.data.expiresAt)).slice(0, 19))}
              </Text>
            )}
          </Stack>
        </Timeline.Item>
        <Timeline.Item bullet={<Text size="xs">2</Text>} title={messages.stepRun}>
          <Text size="sm" className="muted" mb={6}>
            {command ? messages.stepRunText : messages.stepInstallText}
          </Text>
          <Copyable text={command ?? byHand} />
          {isLoopback(setup.url) && (
            <Text size="sm" mt={6}>
              {messages.loopbackHint} <Code>{messages.loopbackCommand}</Code>
            </Text>
          )}
          <Text size="xs" className="muted" mt={6}>
            {messages.forceHint}
          </Text>
        </Timeline.Item>
      </Timeline>
    </div>
  )
}

function isLoopback(url: string | undefined): boolean {
  const hostname = url === undefined ? '' : new URL(url).hostname
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}

function Copyable({ text }: { text: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start" w="100%">
      <Code block flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? messages.copied : messages.copy}>
            <ActionIcon variant="default" aria-label={messages.copy} onClick={copy} mt={4}>
              {copied ? <Check size={15} /> : <Copy size={15} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  )
}
