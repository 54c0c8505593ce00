import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Router } from 'wouter'
import { isRetryable } from './api/client.ts'
import { SessionGate } from './session/session-gate.tsx'
import { Shell } from './shell/shell.tsx'
import { theme } from './shell/theme.ts'
import { basePath } from './url-state/app-path.ts'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => failures < 2 && isRetryable(error),
    },
  },
})

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
