import { oneLine } from '../text/visible.ts'

/** A path of which the name of the file stays to be seen when there is no room for its folders. */
export function Path({ path }: { path: string }) {
  const shown = oneLine(path, 500)
  const at = shown.lastIndexOf('/') + 1
  return (
    <span class="grow mono small path" title={shown}>
      {at > 0 && <span class="folders">{shown.slice(0, at)}</span>}
      <span class="name">{shown.slice(at)}</span>
    </span>
  )
}
