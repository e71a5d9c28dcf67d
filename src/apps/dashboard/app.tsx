/** Routes the dashboard's pages. */
import { lazy, Suspense } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useHashAddress } from './api/address.ts'
import { Overview } from './overview/overview-screen.tsx'
import { WaitingNote } from './parts/notes.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

// The first load has the overview. Other pages load on demand.
const Payments = lazy(() => import('./payments/payments-screen.tsx'))
const PaymentPage = lazy(() => import('./payments/payment-screen.tsx'))
const Callbacks = lazy(() => import('./callbacks/callbacks-screen.tsx'))
const CallbackPage = lazy(() => import('./callbacks/callback-screen.tsx'))
const Send = lazy(() => import('./send/send-screen.tsx'))
const Requests = lazy(() => import('./requests/requests-screen.tsx'))
const RequestPage = lazy(() => import('./requests/request-screen.tsx'))
const Wallets = lazy(() => import('./wallets/wallets-screen.tsx'))
const Organisations = lazy(() => import('./organisations/organisations-screen.tsx'))
const Inbox = lazy(() => import('./inbox/inbox-screen.tsx'))
const Handset = lazy(() => import('./handset/handset-screen.tsx'))
const ScenarioPage = lazy(() => import('./scenario/scenario-screen.tsx'))
const Worlds = lazy(() => import('./worlds/worlds-screen.tsx'))
const Books = lazy(() => import('./judge/books-screen.tsx'))
const Coverage = lazy(() => import('./judge/coverage-screen.tsx'))
const Report = lazy(() => import('./report/report-screen.tsx'))
const Assumptions = lazy(() => import('./assumptions/assumptions-screen.tsx'))

/** By the address behind the `#`, because the part before it belongs to the control plane. */
export function App() {
  return (
    <Router hook={useHashAddress}>
      <Shell>
        <Suspense fallback={<WaitingNote />}>
          <Switch>
            <Route path="/" component={Overview} />
            <Route path="/payments" component={Payments} />
            <Route path="/payments/:uuid">{({ uuid }) => <PaymentPage uuid={uuid} />}</Route>
            <Route path="/send" component={Send} />
            <Route path="/callbacks" component={Callbacks} />
            <Route path="/callbacks/:id">{({ id }) => <CallbackPage id={id} />}</Route>
            <Route path="/requests" component={Requests} />
            <Route path="/requests/:id">{({ id }) => <RequestPage requestId={id} />}</Route>
            <Route path="/wallets" component={Wallets} />
            <Route path="/organisations" component={Organisations} />
            <Route path="/inbox" component={Inbox} />
            <Route path="/handset" component={Handset} />
            <Route path="/scenario" component={ScenarioPage} />
            <Route path="/worlds" component={Worlds} />
            <Route path="/books" component={Books} />
            <Route path="/coverage" component={Coverage} />
            <Route path="/report" component={Report} />
            <Route path="/assumptions" component={Assumptions} />
            {/* Links from before the page had this name. */}
            <Route path="/fidelity">
              <Redirect to="/assumptions" replace />
            </Route>
            <Route path="/overview">
              <Redirect to="/" replace />
            </Route>
            <Route component={NotFound} />
          </Switch>
        </Suspense>
      </Shell>
    </Router>
  )
}
