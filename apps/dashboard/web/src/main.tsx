import '@mantine/core/styles.css'
import './shell/global.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, prepare } from './app.tsx'
import { openKibanaAddress } from './kibana/open-kibana-address.ts'

const root = document.getElementById('root')
if (!root) throw new Error('BUG: the page has no #root')
const page = (
  <StrictMode>
    <App />
  </StrictMode>
)
window.addEventListener('hashchange', () => void openKibanaAddress())
// The page comes either way: an address that could not be put in place leads to what it says.
openKibanaAddress()
  .then(prepare)
  .catch(() => undefined)
  .finally(() => createRoot(root).render(page))
