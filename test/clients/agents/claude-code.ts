import { type Client, KEY } from '../client.ts'

const QUIET = {
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  // Its own mark that a container is sandboxed: it refuses to skip permissions for root otherwise.
  IS_SANDBOX: '1',
}
const FLAGS = ['--model', 'claude-sonnet-4-5', '--dangerously-skip-permissions']

export const claudeCode: Client = {
  name: 'claude-code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.325',
  program: 'claude',
  format: 'claude-code',
  protocol: 'anthropic',
  setUp: ({ url }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, ...QUIET }),
  start: (prompt) => ['-p', prompt, ...FLAGS],
  resume: ({ id }, prompt) => ['--resume', id, '-p', prompt, ...FLAGS],
  compacts: { prompt: '/compact' },
  calls: {
    shell: (command) => ({ name: 'Bash', input: { command, description: 'Run it' } }),
    write: (path, text) => ({ name: 'Write', input: { file_path: path, content: text } }),
    todos: (items) => [
      // Its tools for tasks are behind a search.
      { name: 'ToolSearch', input: { query: 'select:TaskCreate,TaskUpdate' } },
      ...items.map(({ text }) => ({ name: 'TaskCreate', input: { subject: text, description: text } })),
      ...items.flatMap(({ done }, i) =>
        done ? [{ name: 'TaskUpdate', input: { taskId: String(i + 1), status: 'completed' } }] : [],
      ),
    ],
  },
  wrapped: { agent: 'claude', compacts: { window: 200_000, tokens: 165_000 } },
}
