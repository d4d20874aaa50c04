import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Place = { readonly home: string; readonly url: string; readonly sessionId: string; readonly file: string }

/** How a program is made to resume a session without a person, against a local model server. */
export type Program = {
  readonly name: 'claude' | 'codex' | 'pi'
  readonly format: 'claude-code' | 'codex' | 'pi'
  readonly folder: string
  readonly run: (place: Place) => { env: Record<string, string>; args: string[] }
}

const PROMPT = 'Go on.'
const KEY = 'local'

export const PROGRAMS: readonly Program[] = [
  {
    name: 'claude',
    format: 'claude-code',
    folder: '.claude',
    run: ({ url, sessionId }) => ({
      env: {
        ANTHROPIC_BASE_URL: url,
        ANTHROPIC_API_KEY: KEY,
        DISABLE_TELEMETRY: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      args: ['--resume', sessionId, '-p', PROMPT, '--model', 'claude-sonnet-4-5'],
    }),
  },
  {
    name: 'codex',
    format: 'codex',
    folder: '.codex',
    run: ({ home, url, sessionId }) => {
      const provider = `[model_providers.local]\nname = "local"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "LOCAL_KEY"\n`
      write(join(home, '.codex/config.toml'), `model = "gpt-5.5"\nmodel_provider = "local"\n${provider}`)
      return {
        env: { CODEX_HOME: join(home, '.codex'), LOCAL_KEY: KEY },
        args: ['exec', '--skip-git-repo-check', 'resume', sessionId, PROMPT],
      }
    },
  },
  {
    name: 'pi',
    format: 'pi',
    folder: '.pi/agent',
    run: ({ home, url, file }) => {
      write(
        join(home, '.pi/agent/models.json'),
        JSON.stringify({ providers: { anthropic: { baseUrl: url, apiKey: KEY } } }),
      )
      const model = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5']
      return { env: { ANTHROPIC_API_KEY: KEY }, args: ['--session', file, '-p', PROMPT, ...model, '--offline'] }
    },
  },
]

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
