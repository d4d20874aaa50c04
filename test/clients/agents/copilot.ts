import { type Client, KEY } from '../client.ts'

const FLAGS = ['--allow-all-tools', '--allow-all-paths', '--no-color']

export const copilot: Client = {
  name: 'copilot',
  package: '@github/copilot',
  version: '1.0.102',
  program: 'copilot',
  format: 'copilot',
  protocol: 'chat',
  setUp: ({ url, window }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: KEY,
    COPILOT_MODEL: 'test',
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(window),
  }),
  start: (prompt) => ['-p', prompt, ...FLAGS],
  resume: ({ id }, prompt) => [`--resume=${id}`, '-p', prompt, ...FLAGS],
  compacts: { window: 40_000, tokens: 38_800 },
  ownProblems: [/Unrecognized key: "__copilotMessageSource"/],
  calls: {
    shell: (command) => ({ name: 'bash', input: { command, description: 'Run it' } }),
    write: (path, text) => ({ name: 'create', input: { path, file_text: text } }),
  },
  wrapped: { agent: 'copilot', compacts: { window: 40_000, tokens: 38_800 } },
}
