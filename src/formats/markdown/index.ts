import type { Format } from '../shared/format.ts'
import { writeMarkdown } from './write.ts'

export const markdown = {
  name: 'markdown',
  label: 'Markdown',
  write: writeMarkdown,
} as const satisfies Format
