import {
  ActionIcon,
  Alert,
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  NavLink,
  Popover,
  ScrollArea,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core'
import { useDisclosure, useHotkeys, useInterval } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { counted } from '../../../core/model/text.ts'
import { submitting, useChange } from '../api/changes.ts'
import { server, urlOf, world, worldId, worldUrl } from '../api/client.ts'
import { useLive } from '../api/live.tsx'
import { useShownZone } from '../api/page-zone.ts'
import { clockQuery } from '../api/queries.ts'
import { dayAndClock, shortInstant } from '../parts/formatted.tsx'
import * as icons from '../parts/icons.tsx'
import { Dim, ErrorNote } from '../parts/notes.tsx'
import { SearchEverything } from '../search/search-screen.tsx'

const found = (selector: string) => document.querySelector<HTMLInputElement>(selector)

export function Shell({ children }: { children: ReactNode }) {
  const [open, { toggle, close }] = useDisclosure()
  const zone = useShownZone()
  useHotkeys([
    // That of the page comes before that of the header.
    ['/', () => (found('main [data-testid=search]') ?? found('header [type=search]'))?.focus()],
  ])
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the page
      </button>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 216, breakpoint: 'md', collapsed: { mobile: !open } }}
        padding={{ base: 'md', md: 'lg' }}
      >
        <AppShell.Header withBorder>
          <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
            <Group gap="sm" wrap="nowrap">
              <Burger opened={open} onClick={toggle} hiddenFrom="md" size="sm" aria-label="Menu" aria-expanded={open} />
              <Text fw={700} c="green" visibleFrom="xs">
                mfano
              </Text>
              <WorldSwitch />
            </Group>
            <SearchEverything visibleFrom="md" />
            <Group gap="xs" wrap="nowrap">
              <ClockPanel />
              <Connection />
              <SchemeSwitch />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" aria-label="Pages">
          <SearchEverything hiddenFrom="md" then={close} />
          <AppShell.Section grow component={ScrollArea} onClick={close}>
            <Navigation />
          </AppShell.Section>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          {/* A list of the server may have come before the first answer of the world, which tells the zone. */}
          <Stopped />
          <Fragment key={zone.name}>{children}</Fragment>
        </AppShell.Main>
      </AppShell>
    </>
  )
}

function Stopped() {
  const { isLost } = useLive()
  if (!isLost) return null
  return (
    <Alert color="red" variant="light" role="alert" mb="md" title="mfano does not answer" data-testid="stopped-server">
      This page shows what it last knew. Start mfano again, and the page goes on by itself.
    </Alert>
  )
}

function Connection() {
  const { connected } = useLive()
  const words = connected ? 'Live: this page follows what happens' : 'Not live: the stream of events is interrupted'
  return (
    <Tooltip label={words}>
      <Box
        role="status"
        aria-label={words}
        w={8}
        h={8}
        bg={connected ? 'green.5' : 'red.6'}
        style={{ borderRadius: 4, flexShrink: 0 }}
        data-testid="live"
        data-live={connected}
      />
    </Tooltip>
  )
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={dark ? 'Light colours' : 'Dark colours'}
      onClick={() => setColorScheme(dark ? 'light' : 'dark')}
    >
      {dark ? <icons.IconSun size={18} /> : <icons.IconMoon size={18} />}
    </ActionIcon>
  )
}

interface LinkedPage {
  path: string
  label: string
  icon: typeof icons.IconBell
  also?: string
  begins?: string
}

const pages: readonly LinkedPage[] = [
  { path: '/', label: 'Overview', icon: icons.IconChartBar },
  { path: '/payments', label: 'Payments', icon: icons.IconArrowsExchange, begins: 'Activity' },
  { path: '/callbacks', label: 'Callbacks', also: 'webhooks', icon: icons.IconBell },
  { path: '/requests', label: 'Requests', also: 'logs', icon: icons.IconListDetails },
  { path: '/wallets', label: 'Wallets', also: 'balances', icon: icons.IconWallet },
  { path: '/ledger', label: 'Ledger', also: 'books', icon: icons.IconBook2 },
  { path: '/send', label: 'Send', also: 'test data', icon: icons.IconSend, begins: 'Act' },
  { path: '/handset', label: 'Handset', icon: icons.IconDeviceMobile },
  { path: '/inbox', label: 'Inbox', also: 'endpoints', icon: icons.IconInbox },
  { path: '/scenario', label: 'Scenario', also: 'rules', icon: icons.IconScript, begins: 'World' },
  { path: '/organisations', label: 'Organisations', also: 'keys', icon: icons.IconBuilding },
  { path: '/worlds', label: 'Worlds', also: 'sandboxes', icon: icons.IconWorld },
  { path: '/snapshots', label: 'Snapshots', icon: icons.IconCopy },
  { path: '/runs', label: 'Test runs', icon: icons.IconChecklist, begins: 'Judge' },
  { path: '/report', label: 'Report', also: 'reconciliation', icon: icons.IconReportAnalytics },
  { path: '/coverage', label: 'Coverage', icon: icons.IconCheck },
]

function Navigation() {
  const [location] = useLocation()
  const { data: server } = useQuery({ queryKey: ['health'], queryFn: () => world('GET', '/health') })
  return (
    <>
      {pages.map(({ path, label, also, icon: Icon, begins }) => {
        const here = path === '/' ? location === '/' : location.startsWith(path)
        return (
          <Fragment key={path}>
            {begins && (
              <Dim size="xs" fw={600} px="sm" pt="sm" pb={4}>
                {begins}
              </Dim>
            )}
            <NavLink
              href={`#${path}`}
              label={label}
              leftSection={<Icon size={18} stroke={1.6} />}
              rightSection={also && <Text size="xs">{also}</Text>}
              active={here}
              aria-current={here ? 'page' : undefined}
              py={6}
            />
          </Fragment>
        )
      })}
      <NavLink
        href={`${worldUrl}/docs`}
        label="Documentation"
        leftSection={<icons.IconFileText size={18} stroke={1.6} />}
        target="_blank"
      />
      {server?.guarded && (
        <form method="post" action={`${worldUrl}/_mfano/logout`}>
          <NavLink
            component="button"
            type="submit"
            label="Log out"
            leftSection={<icons.IconLogout size={18} stroke={1.6} />}
          />
        </form>
      )}
    </>
  )
}

function WorldSwitch() {
  const worlds = useQuery({ queryKey: ['worlds'], queryFn: () => server('GET', '/worlds') })
  const ids = worlds.data?.worlds.map(({ id }) => id) ?? [worldId]
  return (
    <Select
      aria-label="World"
      size="xs"
      w={{ base: 108, xs: 150 }}
      searchable
      allowDeselect={false}
      data={ids}
      value={worldId}
      limit={200}
      onDropdownOpen={() => void worlds.refetch()}
      onChange={(id) => id !== null && id !== worldId && location.assign(addressOf(id))}
      data-testid="world-switch"
    />
  )
}

/** Without the id of a payment, which only this world has. */
function addressOf(id: string): string {
  const [page = ''] = /^#\/[^/?]*/.exec(location.hash) ?? []
  return `${urlOf(id)}/_mfano/${page}`
}

const steps = ['10s', '1m', '1h', '1d'] as const
const LOOK_MS = 1000

function whatHappened(steps: number, { delivered, failed }: { delivered: number; failed: number }): string {
  return `${counted(steps, 'step')}, ${counted(delivered, 'callback')} delivered, ${failed} failed`
}

function ClockPanel() {
  const queries = useQueryClient()
  const clock = useQuery(clockQuery)
  const going = clock.data !== undefined && clock.data.mode !== 'frozen'
  useInterval(() => going && void queries.invalidateQueries({ queryKey: ['clock'] }), LOOK_MS, { autoInvoke: true })
  const [by, setBy] = useState('5m')
  const move = useChange((way: () => Promise<string>) => way())
  const advance = (span: string) =>
    move.mutate(async () => {
      const { steps: taken, callbacks } = await world('POST', '/clock/advance', { body: { by: span } })
      return `Advanced by ${span}: ${whatHappened(taken, callbacks)}`
    })
  const settle = async () => {
    const { ended, steps: taken, callbacks } = await world('POST', '/clock/settle')
    return `Ran until idle, ${ended}: ${whatHappened(taken, callbacks)}`
  }
  const setMode = async (to: 'realtime' | 'scaled' | 'frozen') => {
    await world('PATCH', '/clock', { body: { mode: to, ...(to === 'scaled' && { rate: 60 }) } })
    return ''
  }

  return (
    <Popover position="bottom-end" width={320} trapFocus shadow="md" withinPortal>
      <Popover.Target>
        <UnstyledButton data-testid="clock">
          <VisuallyHidden>Simulated time, and how to move it: </VisuallyHidden>
          <Group gap={6} wrap="nowrap">
            <icons.IconClock size={18} />
            <div>
              <Text size="xs" fw={600} lh={1.2} style={{ whiteSpace: 'nowrap' }} data-testid="now">
                <Box component="span" visibleFrom="sm">
                  {clock.data && dayAndClock(clock.data.now)[0]}{' '}
                </Box>
                {clock.data ? dayAndClock(clock.data.now)[1] : '…'}
              </Text>
              <Dim size="xs" lh={1.2} style={{ whiteSpace: 'nowrap' }} data-testid="clock-mode">
                {clock.data?.timezone.name}
                <Box component="span" visibleFrom="xs">
                  {' '}
                  · {clock.data?.mode}
                  {clock.data?.mode === 'scaled' && ` ×${clock.data.rate}`}
                </Box>
              </Dim>
            </div>
          </Group>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Simulated time">
        <Stack gap="sm">
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label="Clock mode"
            value={clock.data?.mode ?? 'realtime'}
            onChange={(to) => move.mutate(() => setMode(to))}
            data={[
              { value: 'frozen', label: 'Frozen' },
              { value: 'realtime', label: 'Real time' },
              { value: 'scaled', label: '× 60' },
            ]}
          />
          <Group gap={6} grow>
            {steps.map((span) => (
              <Button key={span} size="xs" variant="default" onClick={() => advance(span)} disabled={move.isPending}>
                +{span}
              </Button>
            ))}
          </Group>
          <form onSubmit={submitting(() => advance(by))}>
            <Group gap={6} wrap="nowrap" align="flex-end">
              <TextInput
                size="xs"
                label="Advance by"
                description="such as 90s, 1h30m or 2d"
                value={by}
                onChange={(event) => setBy(event.currentTarget.value)}
                style={{ flex: 1 }}
                data-testid="advance-by"
              />
              <Button size="xs" type="submit" loading={move.isPending} data-testid="advance">
                Advance
              </Button>
            </Group>
          </form>
          <Button
            size="xs"
            variant="light"
            loading={move.isPending}
            onClick={() => move.mutate(settle)}
            data-testid="settle"
          >
            Run until idle
          </Button>
          {clock.data?.nextDue && <Dim size="xs">Next due {shortInstant(clock.data.nextDue)}</Dim>}
          {move.error ? (
            <ErrorNote error={move.error} />
          ) : (
            <Text size="xs" role="status" data-testid="moved">
              {move.data}
            </Text>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
