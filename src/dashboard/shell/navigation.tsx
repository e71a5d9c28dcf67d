/** The way to all pages. */
import { NavLink } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { world, worldUrl } from '../api/client.ts'
import {
  IconArrowsExchange,
  IconBell,
  IconBook2,
  IconBuilding,
  IconChartBar,
  IconChecklist,
  IconDeviceMobile,
  IconFileText,
  IconInbox,
  IconListDetails,
  IconLogout,
  IconReportAnalytics,
  IconReportMoney,
  IconScale,
  IconScript,
  IconSend,
  IconWorld,
} from '../parts/icons.tsx'

const pages = [
  { path: '/', label: 'Overview', icon: IconChartBar },
  { path: '/payments', label: 'Payments', icon: IconArrowsExchange },
  { path: '/send', label: 'Send', icon: IconSend },
  { path: '/callbacks', label: 'Callbacks', icon: IconBell },
  { path: '/requests', label: 'Requests', icon: IconListDetails },
  { path: '/wallets', label: 'Wallets and ledger', icon: IconBook2 },
  { path: '/books', label: 'Books', icon: IconReportMoney },
  { path: '/organisations', label: 'Organisations', icon: IconBuilding },
  { path: '/inbox', label: 'Inbox', icon: IconInbox },
  { path: '/handset', label: 'Handset', icon: IconDeviceMobile },
  { path: '/scenario', label: 'Scenario', icon: IconScript },
  { path: '/worlds', label: 'Worlds', icon: IconWorld },
  { path: '/coverage', label: 'Coverage', icon: IconChecklist },
  { path: '/report', label: 'Report', icon: IconReportAnalytics },
  { path: '/fidelity', label: 'Fidelity', icon: IconScale },
] as const

/** Ends the login, where there is one. */
function LogOut() {
  const { data } = useQuery({ queryKey: ['health'], queryFn: () => world('GET', '/health') })
  if (!data?.guarded) return null
  return (
    <form method="post" action={`${worldUrl}/_mfano/logout`}>
      <NavLink component="button" type="submit" label="Log out" leftSection={<IconLogout size={18} stroke={1.6} />} />
    </form>
  )
}

/** The way to all pages. */
export function Navigation() {
  const [location] = useLocation()
  return (
    <>
      {pages.map(({ path, label, icon: Icon }) => {
        const here = path === '/' ? location === '/' : location.startsWith(path)
        return (
          <NavLink
            key={path}
            href={`#${path}`}
            label={label}
            leftSection={<Icon size={18} stroke={1.6} />}
            active={here}
            aria-current={here ? 'page' : undefined}
          />
        )
      })}
      <NavLink
        href={`${worldUrl}/docs`}
        label="Contract"
        leftSection={<IconFileText size={18} stroke={1.6} />}
        target="_blank"
      />
      <LogOut />
    </>
  )
}
