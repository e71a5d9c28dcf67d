/** The zone in which this page shows times: that of its world's scenario, as answers tell it. */
import { UTC, type Zone, zoneIn } from '../../../core/model/calendar.ts'

let zone = UTC

export function hearZone(answer: Response): Response {
  zone = zoneIn(answer.headers)
  return answer
}

export function shownZone(): Zone {
  return zone
}
