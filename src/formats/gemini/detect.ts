import type { DetectRules } from '../shared/format.ts'

export const detectGemini: DetectRules = {
  line: (line) => 'sessionId' in line && 'projectHash' in line && !Array.isArray(line.messages),
  head: /"projectHash"\s*:|"role"\s*:\s*"model"/,
  document: (document) => Array.isArray(document.messages) && 'projectHash' in document,
  item: (item) => Array.isArray(item.parts) && (item.role === 'model' || !('id' in item)),
}
