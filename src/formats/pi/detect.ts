import type { DetectRules } from '../shared/format.ts'

export const detectPi: DetectRules = {
  line: (line) => line.type === 'session' && ('cwd' in line || 'timestamp' in line),
}
