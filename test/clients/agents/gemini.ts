import { join } from 'node:path'
import { type Client, KEY } from '../client.ts'
import { put } from '../put.ts'

const FLAGS = ['--model', 'gemini-2.5-pro', '--yolo', '--skip-trust']

export const gemini: Client = {
  name: 'gemini',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
  format: 'gemini',
  protocol: 'google',
  setUp: ({ home, url }) => {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
    }
    put(join(home, '.gemini/settings.json'), JSON.stringify(settings))
    return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: KEY }
  },
  start: (prompt) => ['-p', prompt, ...FLAGS],
  resume: (_, prompt) => ['--resume', 'latest', '-p', prompt, ...FLAGS],
  compacts: { window: 1_000_000, tokens: 970_000 },
  // It repeats results after a resume.
  ownProblems: [/number of function response parts is equal/],
  calls: {
    shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'Run it' } }),
    write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
    todos: (items) => [
      {
        name: 'write_todos',
        input: {
          todos: items.map(({ text, done }) => ({ description: text, status: done ? 'completed' : 'pending' })),
        },
      },
    ],
  },
  wrapped: { agent: 'gemini', compacts: { window: 1_000_000, tokens: 970_000 } },
}
