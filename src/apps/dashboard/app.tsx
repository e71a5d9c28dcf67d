/** Routes the dashboard's pages. */
import { Redirect, Route, Router, Switch } from 'wouter'
import { useHashAddress } from './api/address.ts'
import { Overview } from './overview/overview-screen.tsx'
import { NotFound } from './shell/not-found.tsx'
import { onDemand } from './shell/on-demand.tsx'
import { Shell } from './shell/shell.tsx'

// The first load has the overview. Other pages load on demand.
const Payments = onDemand(() => import('./payments/payments-screen.tsx'))
const PaymentPage = onDemand(() => import('./payments/payment-screen.tsx'))
const Callbacks = onDemand(() => import('./callbacks/callbacks-screen.tsx'))
const CallbackPage = onDemand(() => import('./callbacks/callback-screen.tsx'))
const Send = onDemand(() => import('./send/send-screen.tsx'))
const Requests = onDemand(() => import('./requests/requests-screen.tsx'))
const RequestPage = onDemand(() => import('./requests/request-screen.tsx'))
const Wallets = onDemand(() => import('./wallets/wallets-screen.tsx'))
const Organisations = onDemand(() => import('./organisations/organisations-screen.tsx'))
const Inbox = onDemand(() => import('./inbox/inbox-screen.tsx'))
const Handset = onDemand(() => import('./handset/handset-screen.tsx'))
const ScenarioPage = onDemand(() => import('./scenario/scenario-screen.tsx'))
const Worlds = onDemand(() => import('./worlds/worlds-screen.tsx'))
const Books = onDemand(() => import('./judge/books-screen.tsx'))
const Coverage = onDemand(() => import('./judge/coverage-screen.tsx'))
const Report = onDemand(() => import('./report/report-screen.tsx'))
const Assumptions = onDemand(() => import('./assumptions/assumptions-screen.tsx'))

/** By the address behind the `#`, because the part before it belongs to the control plane. */
export function App() {
  return (
    <Router hook={useHashAddress}>
      <Shell>
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
      </Shell>
    </Router>
  )
}
