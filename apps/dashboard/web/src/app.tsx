import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { isRetryable } from './api/client.ts'
import { earlyAnswers } from './api/early.ts'
import { loadFirstPage, Shell } from './frame/shell.tsx'
import { SessionGate } from './session/session-gate.tsx'
import { theme } from './shell/theme.ts'
import { basePath } from './url-state/app-path.ts'

// What a page shows first is asked for before its program is read. A page that waits longer says that it does.
const earlyWaitMs = 1_000

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && isRetryable(error),
    },
  },
})

/** Waits for the first page's program and its first answers, so that all of it is drawn at once, and has it ask the next questions before. */
export async function prepare(): Promise<void> {
  const ready = async (): Promise<void> => {
    const answers = earlyAnswers((key, answer) => queryClient.setQueryData(key, answer))
    const [program] = await Promise.all([loadFirstPage(), answers])
    await program?.askFirst?.(queryClient)
  }
  const tooLong = new Promise((resolve) => setTimeout(resolve, earlyWaitMs))
  await Promise.race([ready(), tooLong])
}

/** The whole application. */
export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Router base={basePath()}>
          <SessionGate>
            <Shell />
          </SessionGate>
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  )
}
