import { type PageRoute, routeHash } from '../state/page-route.ts'

/** `#12`: a link that opens the entry in the side column. */
export function Handle({ seq, route }: { seq: number; route: PageRoute }) {
  return (
    <a class="handle" href={routeHash({ ...route, entry: seq })}>
      #{seq}
    </a>
  )
}
