import { join } from 'node:path'
import { SECRET_HEADER } from '../../../gateway/access.ts'
import { type CodexAccess, SAME_PROVIDER } from '../../../gateway/wrap/agents.ts'
import type { JsonValue } from '../../../model/types.ts'
import { jsonValue } from './forms/json-forms.ts'
import { tomlKey, tomlTable } from './forms/toml-forms.ts'
import type { Setting, SetupWorld } from './setup-agent.ts'
import { settingState } from './setup-plan.ts'

/** The gateway of a team's server, and the token for it. `isAnthropic`: what is sent to its `anthropic` goes to Anthropic itself. */
export type TeamServer = { readonly url: string; readonly token: string; readonly isAnthropic: boolean }

/** The variable from which agents take the token for a header, if they can: more logs have a path than a header. */
const VARIABLE = 'PITH_TOKEN'

/** How an agent is pointed at a team's gateway: by settings in its files, or by variables that only its user can set. */
export type TeamSettings =
  | {
      /** Each provider's settings, its address first. If the user has set one of them to something else, the others of that provider stay out. */
      readonly groups: (world: SetupWorld, server: TeamServer) => readonly (readonly Setting[])[]
    }
  | { readonly variables: (url: string) => Readonly<Record<string, string>> }

/** Claude Code takes variables from its settings. Seen on 2.1.325. */
export const claudeServer = (file: (world: SetupWorld) => string): TeamSettings => ({
  groups: (world, { url, token, isAnthropic }) => {
    const variable = (name: string, value: string, isOurs: (now: JsonValue) => boolean): Setting => ({
      what: `server ${name}`,
      file: file(world),
      isPrivate: true,
      form: jsonValue(['env', name], value, isOurs),
    })
    return [
      [
        variable('ANTHROPIC_BASE_URL', addressOf(url, 'anthropic'), isGateway),
        variable('ANTHROPIC_CUSTOM_HEADERS', `${SECRET_HEADER}: ${token}`, (now) =>
          String(now).startsWith(`${SECRET_HEADER}:`),
        ),
        { ...variable(SAME_PROVIDER, '1', () => false), isStale: !isAnthropic },
      ],
    ]
  },
})

/** The provider is not called OpenAI: Codex would then demand compaction items that only OpenAI or Pith can read. Seen on 0.166.0. */
export const codexServer = (
  file: (world: SetupWorld) => string,
  access: (world: SetupWorld) => CodexAccess,
): TeamSettings => ({
  groups: (world, { url }) => {
    const { signIn, isStored } = access(world)
    const provider = {
      name: 'Pith',
      base_url: addressOf(url, signIn === 'chatgpt' ? 'chatgpt' : 'openai/v1'),
      wire_api: 'responses',
      ...(isStored || signIn === 'chatgpt' ? { requires_openai_auth: true } : { env_key: 'OPENAI_API_KEY' }),
      env_http_headers: { [SECRET_HEADER]: VARIABLE },
    }
    const isOurs = (value: unknown) =>
      typeof value === 'object' && value !== null && 'base_url' in value && isGateway(value.base_url)
    const form = tomlTable(['model_providers', 'pith'], provider, isOurs)
    return [
      [
        { what: 'server model_providers.pith', file: file(world), form },
        { what: 'server model_provider', file: file(world), form: tomlKey('model_provider', 'pith') },
      ],
    ]
  },
})

/** opencode fills variables into its configuration, and its libraries expect the version in the address. Seen on 1.18.18. */
export const opencodeServer = (file: (world: SetupWorld) => string): TeamSettings => ({
  groups: (world, { url }) =>
    Object.entries({ anthropic: 'anthropic/v1', openai: 'openai/v1', google: 'google/v1beta' }).map(([name, path]) => {
      const options = ['provider', name, 'options']
      const header = `{env:${VARIABLE}}`
      return [
        setting(`server ${name}`, file(world), [...options, 'baseURL'], addressOf(url, path), isGateway),
        setting(`server ${name} header`, file(world), [...options, 'headers', SECRET_HEADER], header, () => false),
      ]
    }),
})

/** pi keeps its own models of a provider if only the address and headers are set. Seen on 0.87.1. */
export const piServer = (folder: (world: SetupWorld) => string): TeamSettings => ({
  groups: (world, { url }) =>
    Object.entries({ anthropic: 'anthropic', openai: 'openai/v1', google: 'google/v1beta' }).map(([name, path]) => {
      const file = join(folder(world), 'models.json')
      const header = `$${VARIABLE}`
      return [
        setting(`server ${name}`, file, ['providers', name, 'baseUrl'], addressOf(url, path), isGateway),
        setting(`server ${name} header`, file, ['providers', name, 'headers', SECRET_HEADER], header, () => false),
      ]
    }),
})

/** These take an address only from their environment. Seen on Gemini CLI 0.61.0, Copilot CLI 1.0.102 and qwen-code 0.24.4. */
export const geminiServer: TeamSettings = {
  variables: (url) => ({
    GOOGLE_GEMINI_BASE_URL: addressOf(url, 'google'),
    GEMINI_CLI_CUSTOM_HEADERS: `${SECRET_HEADER}: $${VARIABLE}`,
  }),
}

export const copilotServer: TeamSettings = {
  variables: (url) => ({
    COPILOT_PROVIDER_BASE_URL: addressOf(url, `$${VARIABLE}/openai/v1`),
    COPILOT_PROVIDER_TRANSPORT: 'http',
  }),
}

export const qwenServer: TeamSettings = {
  variables: (url) => ({ OPENAI_BASE_URL: addressOf(url, `$${VARIABLE}/openai/v1`) }),
}

/** The server's part in the files as they are, whatever its address: to keep it, or to take it out. Without its address it is the user's. */
export function presentServer(settings: TeamSettings, world: SetupWorld): readonly Setting[] {
  if ('variables' in settings) return []
  const all = settings.groups(world, { url: '', token: '', isAnthropic: true }).map((group) => group.map(anyAddress))
  const groups = all.filter(([address]) => address !== undefined && settingState(address) === 'on')
  return groups.flat().filter((setting) => settingState(setting) !== 'off')
}

function anyAddress({ form, ...rest }: Setting): Setting {
  const standing: typeof form.standing = (text) => {
    const state = form.standing(text)
    return state === 'outdated' ? 'on' : state
  }
  return { ...rest, form: { ...form, standing } }
}

function setting(
  what: string,
  file: string,
  path: readonly string[],
  value: string,
  isOurs: (now: JsonValue) => boolean,
): Setting {
  return { what, file, form: jsonValue(path, value, isOurs) }
}

function addressOf(url: string, path: string): string {
  return `${url.replace(/\/+$/, '')}/gateway/${path}`
}

function isGateway(now: unknown): boolean {
  return typeof now === 'string' && /^https?:\/\/.*\/gateway\/(?:anthropic|openai|chatgpt|google)\b/.test(now)
}
