/** Routes the dashboard's pages. */
import { Redirect, Route, Router, Switch } from 'wouter'
import { useHashAddress } from './api/address.ts'
import { Overview } from './overview/overview-screen.tsx'
import { NotFound } from './shell/not-found.tsx'
import { onDemand } from './shell/on-demand.tsx'
import { Shell } from './shell/shell.tsx'

// The first load has the overview. Other pages load on demand.
const screens = {
  '/': Overview,
  '/payments': onDemand(() => import('./payments/payments-screen.tsx')),
  '/send': onDemand(() => import('./send/send-screen.tsx')),
  '/callbacks': onDemand(() => import('./callbacks/callbacks-screen.tsx')),
  '/requests': onDemand(() => import('./requests/requests-screen.tsx')),
  '/wallets': onDemand(() => import('./wallets/wallets-screen.tsx')),
  '/organisations': onDemand(() => import('./organisations/organisations-screen.tsx')),
  '/inbox': onDemand(() => import('./inbox/inbox-screen.tsx')),
  '/handset': onDemand(() => import('./handset/handset-screen.tsx')),
  '/scenario': onDemand(() => import('./scenario/scenario-screen.tsx')),
  '/worlds': onDemand(() => import('./worlds/worlds-screen.tsx')),
  '/books': onDemand(() => import('./judge/books-screen.tsx')),
  '/coverage': onDemand(() => import('./judge/coverage-screen.tsx')),
  '/report': onDemand(() => import('./report/report-screen.tsx')),
  '/assumptions': onDemand(() => import('./assumptions/assumptions-screen.tsx')),
}
const PaymentPage = onDemand(() => import('./payments/payment-screen.tsx'))
const CallbackPage = onDemand(() => import('./callbacks/callback-screen.tsx'))
const RequestPage = onDemand(() => import('./requests/request-screen.tsx'))

/** By the address behind the `#`, because the part before it belongs to the control plane. */
export function App() {
  return (
    <Router hook={useHashAddress}>
      <Shell>
        <Switch>
          <Route path="/payments/:uuid">{({ uuid }) => <PaymentPage uuid={uuid} />}</Route>
          <Route path="/callbacks/:id">{({ id }) => <CallbackPage id={id} />}</Route>
          <Route path="/requests/:id">{({ id }) => <RequestPage requestId={id} />}</Route>
          {Object.entries(screens).map(([path, component]) => (
            <Route key={path} path={path} component={component} />
          ))}
          {/* From before the page had this name. */}
          <Route path="/fidelity">
            <Redirect to="/assumptions" replace />
          </Route>
          <Route component={NotFound} />
        </Switch>
      </Shell>
    </Router>
  )
}
