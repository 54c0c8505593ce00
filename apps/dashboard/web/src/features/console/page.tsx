import type { EditorView } from '@codemirror/view'
import { Badge, Box, Button, Group, Loader, Text } from '@mantine/core'
import { useClipboard, useLocalStorage } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { Check, Play, SquareTerminal } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { send } from '../../api/client.ts'
import { useSession } from '../../session/session-gate.tsx'
import { PageTitle } from '../../shell/page.tsx'
import { curlCommand } from './curl.ts'
import { appendRequest, cursorLine, requestEditor, responseViewer, setText } from './editor.ts'
import { type SentRequest, textOf, withSent } from './history.ts'
import { HistoryMenu } from './history-menu.tsx'
import { initialText, messages } from './messages.ts'
import { type ConsoleRequest, parseRequests, requestAt } from './parse-requests.ts'
import { useKnownNames } from './use-known-names.ts'
import './console.css'

interface ConsoleAnswer {
  readonly status: number
  readonly text: string
  readonly tookMs: number
}

// Search's own port, where `search.public_url` does not say under which address others reach it.
const searchPort = 9200
const none: readonly SentRequest[] = []

/** The console: requests at the left, the answer at the right. */
export function Page() {
  const editor = useRef<EditorView>(undefined)
  const [history, setHistory] = useLocalStorage({ key: 'logstack.console.history', defaultValue: none })
  const answer = useMutation({ mutationFn: sendRequest })
  const { mutate } = answer
  const sendAt = useRef((_line: number): void => undefined)
  sendAt.current = (line) => {
    const request = editor.current && requestIn(editor.current, line)
    if (request) setHistory((before) => withSent(before, request, Date.now()))
    mutate(request)
  }
  return (
    <div className="console">
      <PageTitle title={messages.title} />
      <Group justify="space-between" p="sm" gap="xs" className="console-bar">
        <Text size="sm" className="muted console-about">
          {messages.description}
        </Text>
        <Group gap="xs">
          <HistoryMenu
            history={history}
            onChoose={(sent) => editor.current && appendRequest(editor.current, textOf(sent))}
            onClear={() => setHistory(none)}
          />
          <CurlButton requestOf={() => editor.current && requestIn(editor.current, cursorLine(editor.current))} />
          <Button
            // One that is disabled while it waits would lose the focus of the keyboard.
            leftSection={answer.isPending ? <Loader size={14} color="currentColor" /> : <Play size={14} />}
            aria-busy={answer.isPending}
            onClick={() => editor.current && sendAt.current(cursorLine(editor.current))}
          >
            {messages.send}
          </Button>
        </Group>
      </Group>
      <div className="console-panes">
        <Editor viewRef={editor} onSend={(line) => sendAt.current(line)} />
        <Answer answer={answer.data} error={answer.error} />
      </div>
    </div>
  )
}

function requestIn(view: EditorView, line: number): ConsoleRequest | undefined {
  return requestAt(parseRequests(view.state.doc.toString()), line)
}

/** Copies the request at the cursor as a command for a shell. */
function CurlButton({ requestOf }: { requestOf: () => ConsoleRequest | undefined }) {
  const clipboard = useClipboard()
  const { username, searchUrl } = useSession()
  const copy = (): void => {
    const request = requestOf()
    const address = searchUrl ?? `https://${window.location.hostname}:${searchPort}`
    if (request) clipboard.copy(curlCommand(request, address, username))
  }
  return (
    <Button
      variant="default"
      leftSection={clipboard.copied ? <Check size={14} /> : <SquareTerminal size={14} />}
      onClick={copy}
    >
      {clipboard.copied ? messages.curlCopied : messages.curl}
    </Button>
  )
}

function Editor({
  viewRef,
  onSend,
}: {
  viewRef: React.RefObject<EditorView | undefined>
  onSend: (line: number) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [text, setStored] = useLocalStorage({
    key: 'logstack.console.text',
    defaultValue: initialText,
    getInitialValueInEffect: false,
  })
  // The editor owns its text after it was made: only its first value comes from outside.
  const namesAt = useKnownNames()
  const first = useRef({ text, setStored, onSend })
  first.current = { ...first.current, setStored, onSend }
  useEffect(() => {
    if (!box.current) return undefined
    const view = requestEditor(box.current, {
      text: first.current.text,
      label: messages.editor,
      onChange: (next) => first.current.setStored(next),
      onSend: (line) => first.current.onSend(line),
      namesAt,
    })
    viewRef.current = view
    return () => {
      viewRef.current = undefined
      view.destroy()
    }
  }, [viewRef, namesAt])
  return <Box className="console-pane" ref={box} data-testid="console-editor" />
}

function Answer({ answer, error }: { answer: ConsoleAnswer | undefined; error: Error | null }) {
  const box = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  useEffect(() => {
    if (!box.current) return undefined
    const made = responseViewer(box.current, messages.response)
    view.current = made
    return () => made.destroy()
  }, [])
  const shown = error?.message ?? answer?.text ?? ''
  useEffect(() => {
    if (view.current) setText(view.current, shown)
  }, [shown])
  return (
    <div className="console-pane console-answer">
      <Group px="sm" py={6} gap="xs" className="console-status" aria-live="polite">
        {answer && !error && (
          <>
            <Badge color={answer.status < 300 ? 'green' : answer.status < 500 ? 'orange' : 'red'} variant="light">
              {answer.status}
            </Badge>
            <Text size="xs" className="muted">
              {messages.milliseconds(answer.tookMs)}
            </Text>
          </>
        )}
        {error && (
          <Badge color="red" variant="light">
            {messages.failed}
          </Badge>
        )}
        {!answer && !error && (
          <Text size="xs" className="muted">
            {messages.empty}
          </Text>
        )}
      </Group>
      <Box ref={box} className="console-answer-text" data-testid="console-answer" />
    </div>
  )
}

async function sendRequest(request: ConsoleRequest | undefined): Promise<ConsoleAnswer> {
  if (!request) throw new Error(messages.none)
  const startedAt = performance.now()
  const response = await send('api/console/proxy', {
    method: 'POST',
    query: { path: request.path, method: request.method },
    ...(request.body === undefined ? {} : { body: request.body, headers: { 'content-type': 'application/json' } }),
  })
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  const tookMs = Math.round(performance.now() - startedAt)
  return { status: response.status, text: isJson ? pretty(text) : text, tookMs }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
