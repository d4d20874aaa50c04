import { visibleLine } from './visible.ts'

/** The name of a session on the screen: its title, or the first words that the user typed. */
export function sessionName(session: { title?: string; first_words?: string }, most: number): string {
  return visibleLine(session.title ?? session.first_words ?? '', most) || 'Untitled'
}
