import { hashOf, type Route } from '../state/route.ts'

/** `#12`: opens the entry beside what is being looked at. */
export function Handle({ seq, route }: { seq: number; route: Route }) {
  return (
    <a class="handle" href={hashOf({ ...route, entry: seq })}>
      #{seq}
    </a>
  )
}
