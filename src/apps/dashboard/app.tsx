import { Button, Group } from '@mantine/core'
import { Link, Route, Router, Switch, useLocation } from 'wouter'
import { useHashAddress } from './api/address.ts'
import { CallbackScreen } from './callbacks/callback-screen.tsx'
import { CallbacksScreen } from './callbacks/callbacks-screen.tsx'
import { HandsetScreen } from './handset/handset-screen.tsx'
import { InboxScreen } from './inbox/inbox-screen.tsx'
import { OrganisationsScreen } from './organisations/organisations-screen.tsx'
import { OverviewScreen } from './overview/overview-screen.tsx'
import { Empty } from './parts/notes.tsx'
import { Screen } from './parts/screen.tsx'
import { PaymentScreen } from './payments/payment-screen.tsx'
import { PaymentsScreen } from './payments/payments-screen.tsx'
import { CoverageScreen, ReportScreen, RunsScreen } from './report/report-screen.tsx'
import { RequestScreen } from './requests/request-screen.tsx'
import { RequestsScreen } from './requests/requests-screen.tsx'
import { RulesScreen, ScenarioScreen } from './scenario/scenario-screen.tsx'
import { SearchScreen } from './search/search-screen.tsx'
import { SendScreen } from './send/send-screen.tsx'
import { Shell } from './shell/shell.tsx'
import { LedgerScreen, WalletsScreen } from './wallets/wallets-screen.tsx'
import { SnapshotsScreen, WorldsScreen } from './worlds/worlds-screen.tsx'

const screens = {
  '/': OverviewScreen,
  '/payments': PaymentsScreen,
  '/send': SendScreen,
  '/callbacks': CallbacksScreen,
  '/requests': RequestsScreen,
  '/wallets': WalletsScreen,
  '/ledger': LedgerScreen,
  '/organisations': OrganisationsScreen,
  '/inbox': InboxScreen,
  '/handset': HandsetScreen,
  '/scenario': ScenarioScreen,
  '/rules': RulesScreen,
  '/worlds': WorldsScreen,
  '/snapshots': SnapshotsScreen,
  '/coverage': CoverageScreen,
  '/runs': RunsScreen,
  '/report': ReportScreen,
  '/search': SearchScreen,
}

/** By the address behind the `#`, because the part before it belongs to the control plane. */
export function App() {
  return (
    <Router hook={useHashAddress}>
      <Shell>
        <Switch>
          <Route path="/payments/:uuid">{({ uuid }) => <PaymentScreen uuid={uuid} />}</Route>
          <Route path="/callbacks/:id">{({ id }) => <CallbackScreen id={id} />}</Route>
          <Route path="/requests/:id">{({ id }) => <RequestScreen requestId={id} />}</Route>
          {Object.entries(screens).map(([path, component]) => (
            <Route key={path} path={path} component={component} />
          ))}
          <Route component={NotFound} />
        </Switch>
      </Shell>
    </Router>
  )
}

function NotFound() {
  const [location] = useLocation()
  return (
    <Screen title="Page not found">
      <Empty title={`The dashboard has no page ${location}`}>
        <Group justify="center" gap="xs" mt="sm">
          <Button component={Link} href="/">
            Open the overview
          </Button>
          <Button variant="default" onClick={() => history.back()}>
            Go back
          </Button>
        </Group>
      </Empty>
    </Screen>
  )
}
