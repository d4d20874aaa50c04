import { type Format, type PromptCounter, promptCounter } from '../shared/format.ts'
import { fields, objects } from '../shared/json.ts'
import { readPi } from './read.ts'
import { writePi } from './write.ts'

export const pi = {
  name: 'pi',
  label: 'pi',
  detect: {
    line: (line) => line.type === 'session' && ('cwd' in line || 'timestamp' in line),
  },
  read: readPi,
  prompts: countPi,
  write: writePi,
  resume: { folder: '~/.pi/agent', command: ({ path }) => ['pi', '--session', path] },
  places: {
    folders: ['~/.pi/agent/sessions'],
    variables: [{ name: 'PI_CODING_AGENT_DIR', replaces: ['~/.pi/agent'] }],
    // The id comes after the time.
    file: /(?:^|[/_])([^/_]*)\.jsonl$/,
  },
} as const satisfies Format

function countPi(): PromptCounter {
  return promptCounter((entry) => {
    const message = entry.type === 'message' ? fields(entry.message) : undefined
    if (message?.role !== 'user') return []
    if (typeof message.content === 'string') return [message.content]
    return objects(message.content).flatMap(({ type, text }) => (type === 'text' ? [String(text ?? '')] : []))
  })
}
