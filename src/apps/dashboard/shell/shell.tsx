/** The frame around every page. */
import {
  ActionIcon,
  Alert,
  AppShell,
  Box,
  Burger,
  Group,
  ScrollArea,
  Text,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { Fragment, type ReactNode } from 'react'
import { useLive } from '../api/live.tsx'
import { useShownZone } from '../api/page-zone.ts'
import { IconMoon, IconSun } from '../parts/icons.tsx'
import { SearchEverything } from '../search/search-everything.tsx'
import { ClockPanel } from './clock-panel.tsx'
import { Navigation } from './navigation.tsx'
import { WorldSwitch } from './world-switch.tsx'

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
      {dark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  )
}
