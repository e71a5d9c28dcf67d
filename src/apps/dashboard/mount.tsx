import { must } from '../../core/model/must.ts'
import '@mantine/core/styles.css'
import './style.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { refusalIn } from './api/client.ts'
import { Live } from './api/live.tsx'
import { App } from './app.tsx'
import { theme, variables } from './theme.ts'

// The page's policy allows only style sheets with this nonce.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
// Where the library that keeps the page behind a dialog from scrolling looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce })

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays a refusal, so it is not retried.
      retry: (failures, error) => failures < 2 && !refusalIn(error),
      // Events tell what changed, so nothing is loaded again by time.
      staleTime: Number.POSITIVE_INFINITY,
    },
  },
})

createRoot(must(document.getElementById('root'))).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce ?? ''}
    >
      <QueryClientProvider client={queries}>
        <Live>
          <App />
        </Live>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
