import type { DetectRules } from '../shared/format.ts'

export const detectUIMessages: DetectRules = {
  head: /^\s*\[\s*\{[^[]*"parts"\s*:\s*\[/,
  item: (item) => Array.isArray(item.parts) && item.role !== 'model' && 'id' in item,
  list: (items) => items.some((item) => 'parts' in item) && items.every((item) => 'role' in item && 'content' in item),
}
