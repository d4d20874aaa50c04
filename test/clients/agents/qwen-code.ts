import { join } from 'node:path'
import { type Client, KEY } from '../client.ts'
import { put } from '../put.ts'

const FLAGS = ['--yolo', '--model', 'test']

export const qwenCode: Client = {
  name: 'qwen-code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  program: 'qwen',
  format: 'qwen-code',
  protocol: 'chat',
  setUp: ({ home, url, window }) => {
    const settings = {
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      tools: { todoWrite: { enabled: true } },
      model: { generationConfig: { contextWindowSize: window } },
    }
    put(join(home, '.qwen/settings.json'), JSON.stringify(settings))
    return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'test' }
  },
  start: (prompt) => [prompt, ...FLAGS],
  resume: (_, prompt) => ['--continue', prompt, ...FLAGS],
  compacts: { window: 100_000, tokens: 75_000 },
  calls: {
    shell: (command) => ({
      name: 'run_shell_command',
      input: { command, description: 'Run it', is_background: false },
    }),
    write: (path, text) => ({ name: 'write_file', input: { file_path: path, content: text } }),
    todos: (items) => [
      {
        name: 'todo_write',
        input: {
          todos: items.map(({ text, done }, i) => ({
            id: String(i + 1),
            content: text,
            status: done ? 'completed' : 'pending',
          })),
        },
      },
    ],
  },
  wrapped: {
    agent: 'qwen',
    compacts: { window: 100_000, tokens: 75_000 },
    // After a compaction and a resume it says of results that it has sent before that they were not recorded.
    branches: 2,
  },
}
