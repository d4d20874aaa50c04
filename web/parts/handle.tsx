import { hashOf, type PageRoute } from '../state/page-route.ts'

/** `#12`: a link that opens the entry in the side column. */
export function Handle({ seq, route }: { seq: number; route: PageRoute }) {
  return (
    <a class="handle" href={hashOf({ ...route, entry: seq })}>
      #{seq}
    </a>
  )
}
