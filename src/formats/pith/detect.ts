import type { DetectRules } from '../shared/format.ts'

export const detectPith: DetectRules = {
  line: (line) => line.type === 'session' && 'workspace' in line && 'lastSeq' in line,
}
