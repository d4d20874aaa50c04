import { join } from 'node:path'
import { type Client, KEY } from '../client.ts'
import { put } from '../put.ts'

const FLAGS = ['--provider', 'local', '--model', 'claude-sonnet-4-5', '--offline']

export const pi: Client = {
  name: 'pi',
  package: '@earendil-works/pi-coding-agent',
  version: '0.87.1',
  program: 'pi',
  format: 'pi',
  protocol: 'anthropic',
  setUp: ({ home, url, window }) => {
    const models = [{ id: 'claude-sonnet-4-5', contextWindow: window, maxTokens: 8_000 }]
    const local = { baseUrl: url, apiKey: KEY, api: 'anthropic-messages', models }
    put(join(home, '.pi/agent/models.json'), JSON.stringify({ providers: { local } }))
    put(
      join(home, '.pi/agent/settings.json'),
      JSON.stringify({ compaction: { enabled: true, keepRecentTokens: 1_000 } }),
    )
    return {}
  },
  start: (prompt) => ['-p', prompt, ...FLAGS],
  resume: ({ file }, prompt) => ['--session', file, '-p', prompt, ...FLAGS],
  compacts: { window: 100_000, tokens: 97_000 },
  calls: {
    shell: (command) => ({ name: 'bash', input: { command } }),
    write: (path, text) => ({ name: 'write', input: { path, content: text } }),
  },
  wrapped: { agent: 'pi', compacts: { window: 100_000, tokens: 97_000 } },
}
