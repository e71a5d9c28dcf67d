/** Every page of the dashboard by its address. */
import { lazy, Suspense } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { useHashLocation } from 'wouter/use-hash-location'
import { Overview } from './overview/overview.tsx'
import { Empty, Waiting } from './parts/notes.tsx'
import { Page } from './parts/page.tsx'
import { Shell } from './shell/shell.tsx'

// The overview comes with the first load; every other page when somebody goes there.
const Payments = lazy(() => import('./payments/payments.tsx'))
const PaymentPage = lazy(() => import('./payments/payment-page.tsx'))
const Callbacks = lazy(() => import('./callbacks/callbacks.tsx'))
const CallbackPage = lazy(() => import('./callbacks/callback-page.tsx'))
const Requests = lazy(() => import('./requests/requests.tsx'))
const RequestPage = lazy(() => import('./requests/request-page.tsx'))
const Wallets = lazy(() => import('./wallets/wallets.tsx'))
const Organisations = lazy(() => import('./organisations/organisations.tsx'))
const Inbox = lazy(() => import('./inbox/inbox.tsx'))
const Handset = lazy(() => import('./handset/handset.tsx'))
const ScenarioPage = lazy(() => import('./scenario/scenario.tsx'))
const Worlds = lazy(() => import('./worlds/worlds.tsx'))
const Books = lazy(() => import('./judge/books-page.tsx'))
const Coverage = lazy(() => import('./judge/coverage-page.tsx'))
const Fidelity = lazy(() => import('./fidelity/fidelity.tsx'))

/** Every page by its address behind the `#`: those before it belong to the control plane. */
export function App() {
  return (
    <Router hook={useHashLocation}>
      <Shell>
        <Suspense fallback={<Waiting />}>
          <Switch>
            <Route path="/" component={Overview} />
            <Route path="/payments" component={Payments} />
            <Route path="/payments/:uuid">{({ uuid }) => <PaymentPage uuid={uuid} />}</Route>
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
            <Route path="/fidelity" component={Fidelity} />
            <Route path="/overview">
              <Redirect to="/" replace />
            </Route>
            <Route>
              <Page title="No such page">
                <Empty title="Nothing is here">The menu leads to everything there is.</Empty>
              </Page>
            </Route>
          </Switch>
        </Suspense>
      </Shell>
    </Router>
  )
}
