import { type Client, KEY } from '../client.ts'

const FLAGS = ['--model', 'local/test', '--auto']

export const opencode: Client = {
  name: 'opencode',
  package: 'opencode-ai',
  version: '1.18.18',
  program: 'opencode',
  format: 'opencode',
  protocol: 'chat',
  setUp: ({ url, window }) => {
    const model = { name: 'test', limit: { context: window, output: 8_000 }, tool_call: true }
    const local = {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${url}/v1`, apiKey: KEY },
      models: { test: model },
    }
    const config = {
      provider: { local },
      model: 'local/test',
      small_model: 'local/test',
      autoupdate: false,
      share: 'disabled',
    }
    return {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    }
  },
  start: (prompt) => ['run', ...FLAGS, prompt],
  resume: ({ id }, prompt) => ['run', ...FLAGS, '--session', id, prompt],
  compacts: { window: 100_000, tokens: 97_000 },
  calls: {
    shell: (command) => ({ name: 'bash', input: { command, description: 'Run it' } }),
    write: (path, text) => ({ name: 'write', input: { filePath: path, content: text } }),
    todos: (items) => [
      {
        name: 'todowrite',
        input: {
          todos: items.map(({ text, done }) => ({
            content: text,
            status: done ? 'completed' : 'pending',
            priority: 'medium',
          })),
        },
      },
    ],
  },
  wrapped: { agent: 'opencode', compacts: { window: 100_000, tokens: 97_000 } },
}
