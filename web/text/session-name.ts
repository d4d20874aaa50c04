import { visibleLine } from './visible.ts'

/** What the page calls a session: its title, or the words that the user typed first. */
export function sessionName(session: { title?: string; first_words?: string }, most: number): string {
  return visibleLine(session.title ?? session.first_words ?? '', most) || 'Untitled'
}
