/**
 * Holidays that depend on the moon, listed by year: past ones as kept, future ones as calendars expect them. Assumed,
 * because the date is announced the evening before.
 */
import type { HolidayRule } from '../../core/model/calendar.ts'

export const eidAlFitr = {
  name: 'Eid al-Fitr',
  dates: [
    '2023-04-21',
    '2024-04-10',
    '2025-03-31',
    '2026-03-20',
    '2027-03-10',
    '2028-02-27',
    '2029-02-15',
    '2030-02-05',
  ],
} as const satisfies HolidayRule

export const eidAlAdha = {
  name: 'Eid al-Adha',
  dates: [
    '2023-06-28',
    '2024-06-17',
    '2025-06-06',
    '2026-05-27',
    '2027-05-17',
    '2028-05-05',
    '2029-04-24',
    '2030-04-14',
  ],
} as const satisfies HolidayRule

export const maulid = {
  name: 'Maulid',
  dates: [
    '2023-09-28',
    '2024-09-16',
    '2025-09-05',
    '2026-08-26',
    '2027-08-15',
    '2028-08-04',
    '2029-07-24',
    '2030-07-14',
  ],
} as const satisfies HolidayRule
