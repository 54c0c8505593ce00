import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  List,
  SegmentedControl,
  Stack,
  Text,
  Timeline,
  Tooltip,
} from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check, Copy, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
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
          <RunStep setup={setup} token={token.data?.token ?? '<TOKEN>'} />
        </Timeline.Item>
      </Timeline>
    </div>
  )
}

const systems = ['own', 'windows', 'macos', 'linux'] as const
type System = (typeof systems)[number]

/** The line to run, for the system of the host. */
function RunStep({ setup, token }: { setup: AgentSetup; token: string }) {
  const [system, setSystem] = useState<System>('own')
  const { text, line } = lineFor(system, setup)
  return (
    <>
      {setup.wazuh && (
        <SegmentedControl
          size="xs"
          mb={8}
          aria-label={messages.whichSystem}
          data={systems.map((value) => ({ value, label: messages.systems[value] }))}
          value={system}
          onChange={(value) => setSystem(systems.find((one) => one === value) ?? 'own')}
        />
      )}
      <Text size="sm" className="muted" mb={6}>
        {text}
      </Text>
      <Copyable text={line.replaceAll('<TOKEN>', () => token)} />
      {isLoopback(setup.url) && (
        <Text size="sm" mt={6}>
          {messages.loopbackHint} <Code>{messages.loopbackCommand}</Code>
        </Text>
      )}
      {system === 'own' && (
        <Text size="xs" className="muted" mt={6}>
          {messages.forceHint}
        </Text>
      )}
    </>
  )
}

function lineFor(
  system: System,
  { url, caFingerprint = '', command, wazuh }: AgentSetup,
): { text: string; line: string } {
  if (system !== 'own' && wazuh) return { text: messages.stepWazuhText[system], line: wazuh[system] }
  if (command !== undefined) return { text: messages.stepRunText, line: command }
  const byHand = `node agent.mjs enroll --url ${url} --ca-fingerprint ${caFingerprint} --token-file -\nnode agent.mjs run`
  return { text: messages.stepInstallText, line: byHand }
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
