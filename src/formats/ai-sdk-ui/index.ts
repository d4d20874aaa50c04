import type { Format } from '../shared/format.ts'
import { readUIMessages } from './read.ts'

export const aiSdkUI = {
  name: 'ai-sdk-ui',
  label: 'AI SDK UI',
  detect: {
    head: /^\s*\[\s*\{[^[]*"parts"\s*:\s*\[/,
    item: (item) => Array.isArray(item.parts) && item.role !== 'model' && 'id' in item,
    list: (items) =>
      items.some((item) => 'parts' in item) && items.every((item) => 'role' in item && 'content' in item),
  },
  read: readUIMessages,
} as const satisfies Format
