import { join } from 'node:path'
import { type Client, type ClientPlace, KEY } from '../client.ts'
import { put } from '../put.ts'

const FLAGS = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']

export const codex: Client = {
  name: 'codex',
  package: '@openai/codex',
  version: '0.166.0',
  program: 'codex',
  format: 'codex',
  protocol: 'responses',
  setUp: (place) => {
    const provider = `[model_providers.local]
name = "local"
base_url = "${place.url}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
`
    return { ...configured(place, 'model_provider = "local"', provider), LOCAL_KEY: KEY }
  },
  start: (prompt) => ['exec', ...FLAGS, prompt],
  resume: ({ id }, prompt) => ['exec', ...FLAGS, 'resume', id, prompt],
  compacts: { window: 100_000, tokens: 97_000 },
  calls: {
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    write: (path, text) => ({ name: 'exec_command', input: { cmd: `cat > ${path} <<'END'\n${text}\nEND` } }),
  },
  wrapped: {
    agent: 'codex',
    // With a provider of its own it is left alone.
    setUp: (place) => ({ ...configured(place, `openai_base_url = "${place.url}/v1"`), OPENAI_API_KEY: KEY }),
    compacts: { window: 100_000, tokens: 97_000 },
  },
}

function configured({ home, window }: ClientPlace, setting: string, tables = ''): { CODEX_HOME: string } {
  const folder = join(home, '.codex')
  put(
    join(folder, 'config.toml'),
    `model = "gpt-5.5"
${setting}
model_context_window = ${window}
model_auto_compact_token_limit = ${Math.floor(window * 0.9)}
${tables}`,
  )
  return { CODEX_HOME: folder }
}
