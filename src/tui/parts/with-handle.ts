import { visibleWidth } from '@earendil-works/pi-tui/dist/utils.js'
import type { BlockStyle } from './block-lines.ts'

/** The lines of an entry with its handle, which commands take (`/pin #12`): behind the last line, or below it where there is no room. */
export function withHandle(lines: readonly string[], seq: number, { width, theme }: BlockStyle): string[] {
  const handle = `#${seq}`
  const last = lines.at(-1)?.replace(/ +$/, '') ?? ''
  const fits = last !== '' && visibleWidth(last) + GAP.length + handle.length <= width
  const painted = GAP + theme.paint(handle, 'muted')
  return fits ? [...lines.slice(0, -1), last + painted] : [...lines, painted]
}

const GAP = '  '
