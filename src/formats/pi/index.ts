import { type DetectRules, type Format, type Places, type PromptCounter, promptCounter } from '../shared/format.ts'
import { fields, objects } from '../shared/json.ts'
import { readPi } from './read.ts'
import { writePi } from './write.ts'

const PI_PLACES: Places = {
  folders: ['~/.pi/agent/sessions'],
  variables: [{ name: 'PI_CODING_AGENT_DIR', replaces: ['~/.pi/agent'] }],
  // The id comes after the time.
  file: /(?:^|[/_])([^/_]*)\.jsonl$/,
}

const detectPi: DetectRules = {
  line: (line) => line.type === 'session' && ('cwd' in line || 'timestamp' in line),
}

export const pi = {
  name: 'pi',
  label: 'pi',
  detect: detectPi,
  read: readPi,
  prompts: countPi,
  write: writePi,
  resume: { folder: '~/.pi/agent', command: ({ path }) => ['pi', '--session', path] },
  places: PI_PLACES,
} as const satisfies Format

function countPi(): PromptCounter {
  return promptCounter((entry) => {
    const message = entry.type === 'message' ? fields(entry.message) : undefined
    if (message?.role !== 'user') return []
    if (typeof message.content === 'string') return [message.content]
    return objects(message.content).flatMap(({ type, text }) => (type === 'text' ? [String(text ?? '')] : []))
  })
}
